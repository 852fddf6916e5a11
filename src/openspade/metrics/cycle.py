"""What a cycle's drafts and episodes are counted into; `metrics/rows.py` says what each figure means."""

from __future__ import annotations

import resource
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean

from openspade.types import UNLIKE_ALONE, Episode, Outcome, Playtest, Verdict

NOT_PARSED = ("parses", "size")


def cycle_metrics(verdicts: Sequence[Verdict], playtests: Sequence[Playtest]) -> dict[str, float]:
    """The validity funnel, how episodes ended, and tokens written."""
    episodes = [episode for playtest in playtests for episode in playtest.episodes]
    alone = {
        "episodes/played_alone": float(sum(playtest.alone for playtest in playtests)),
        "designs/unlike_alone": float(sum(playtest.fault == UNLIKE_ALONE for playtest in playtests)),
    }
    return {**funnel(verdicts), **_endings(episodes), **alone, **_tokens(verdicts, episodes), **_memory()}


def funnel(verdicts: Sequence[Verdict]) -> dict[str, float]:
    """Counts of first drafts from parsed to accepted, of each gate's refusals, and of what repairs and reviews did."""
    first = [verdict for verdict in verdicts if not verdict.draft.repairs]
    refused = Counter(verdict.problems[0].gate for verdict in first if verdict.problems)
    accepted = sum(verdict.accepted for verdict in first)
    return {
        "funnel/drafts": float(len(first)),
        "funnel/parsed": float(len(first) - sum(refused[gate] for gate in NOT_PARSED)),
        "funnel/accepted": float(accepted),
        "funnel/accepted_share": accepted / len(first) if first else 0.0,
        **{f"refused/{gate}": float(count) for gate, count in sorted(refused.items())},
        **_repairs(verdicts),
        **_reviews(verdicts),
    }


def _repairs(verdicts: Sequence[Verdict]) -> dict[str, float]:
    """Nothing where no refused draft was written again."""
    written = [verdict for verdict in verdicts if verdict.draft.repairs]
    mended = sum(verdict.accepted for verdict in written)
    return {"repair/written": float(len(written)), "repair/accepted": float(mended)} if written else {}


def _reviews(verdicts: Sequence[Verdict]) -> dict[str, float]:
    """Nothing where no model reviewed."""
    reviews = [gate for verdict in verdicts for gate in verdict.gates if gate.gate == "reviewer"]
    not_run = sum(not review.ran for review in reviews)
    return {"review/asked": float(len(reviews)), "review/not_run": float(not_run)} if reviews else {}


def _endings(episodes: Sequence[Episode]) -> dict[str, float]:
    if not episodes:
        return {"episodes/count": 0.0}
    causes = Counter(e.cause.partition(":")[0] for e in episodes if e.cause)
    turns = [len(episode.turns) for episode in episodes if episode.outcome is not Outcome.VOID]
    return {
        "episodes/count": float(len(episodes)),
        "episodes/unaided": float(sum(not e.hinted and e.outcome is not Outcome.VOID for e in episodes)),
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
