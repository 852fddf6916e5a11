"""What is measured each cycle; docs/metrics.md says what each figure means and which way is better."""

from __future__ import annotations

import resource
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean

from openspade.types import Episode, Outcome, Playtest, Verdict

NOT_PARSED = ("parses", "size")


class Laps:
    """Wall-clock seconds of each stage of a cycle, and of the whole."""

    def __init__(self) -> None:
        self._started = self._last = time.monotonic()
        self._seconds: dict[str, float] = {}

    def lap(self, stage: str) -> None:
        """The stage that ends now took the time since the last lap."""
        now = time.monotonic()
        self._seconds[f"seconds/{stage}"] = now - self._last
        self._last = now

    def metrics(self) -> dict[str, float]:
        return {**self._seconds, "seconds/cycle": time.monotonic() - self._started}


def cycle_metrics(verdicts: Sequence[Verdict], playtests: Sequence[Playtest]) -> dict[str, float]:
    """The validity funnel, how episodes ended, and tokens written."""
    episodes = [episode for playtest in playtests for episode in playtest.episodes]
    return {**funnel(verdicts), **_endings(episodes), **_tokens(verdicts, episodes), **_memory()}


def funnel(verdicts: Sequence[Verdict]) -> dict[str, float]:
    """Counts from drafts through parsed to accepted, and one count for each gate that refused."""
    refused = Counter(verdict.problems[0].gate for verdict in verdicts if verdict.problems)
    accepted = sum(verdict.accepted for verdict in verdicts)
    return {
        "funnel/drafts": float(len(verdicts)),
        "funnel/parsed": float(len(verdicts) - sum(refused[gate] for gate in NOT_PARSED)),
        "funnel/accepted": float(accepted),
        "funnel/accepted_share": accepted / len(verdicts) if verdicts else 0.0,
        **{f"refused/{gate}": float(count) for gate, count in sorted(refused.items())},
    }


def _endings(episodes: Sequence[Episode]) -> dict[str, float]:
    if not episodes:
        return {"episodes/count": 0.0}
    causes = Counter(e.cause.partition(":")[0] for e in episodes if e.cause)
    turns = [len(episode.turns) for episode in episodes if episode.outcome is not Outcome.VOID]
    return {
        "episodes/count": float(len(episodes)),
        "episodes/void_share": fmean(e.outcome is Outcome.VOID for e in episodes),
        "episodes/truncated_share": fmean(e.outcome is Outcome.TRUNCATED for e in episodes),
        "episodes/turns_mean": fmean(turns) if turns else 0.0,
        **{f"causes/{cause}_share": count / len(episodes) for cause, count in sorted(causes.items())},
    }


def _tokens(verdicts: Sequence[Verdict], episodes: Sequence[Episode]) -> Mapping[str, float]:
    return {
        "tokens/designer": float(sum(sum(stream.written) for v in verdicts for stream in v.draft.streams)),
        "tokens/agent": float(sum(sum(stream.written) for e in episodes for stream in e.streams)),
    }


def _memory() -> Mapping[str, float]:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"memory/trainer_peak_mb": peak / (2**20 if sys.platform == "darwin" else 2**10)}
