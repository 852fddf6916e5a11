"""An evaluation as files that can be checked later: one JSON object, and every episode on a line of its own."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

from openspade.errors import StorageError
from openspade.evaluation.evaluate import Score, score_of
from openspade.evaluation.suites import HeldOutTask, Suite
from openspade.tokens import JSON
from openspade.types import Episode, Playtest

PACKAGES = ("openspade", "torch", "transformers", "reasoning-gym")
RESULTS, SAMPLES = "results.json", "samples.jsonl"


@dataclass(frozen=True, kw_only=True, slots=True)
class Evaluation:
    """One policy on one suite: who played, how it was sampled, the score, and what knowing nothing scores.

    `strict` is the score without what was won by a hole in a scorer; None where the suite has no scorer with holes.
    `cut` counts the instances whose first observation the policy did not see whole.
    """

    suite: Suite
    policy: Mapping[str, JSON]
    sampling: Mapping[str, JSON]
    plays: int
    hinted: bool
    score: Score
    strict: Score | None
    floors: Mapping[str, Score]
    playtests: Sequence[Playtest]
    seconds: float
    cut: int = 0

    def record(self) -> dict[str, JSON]:
        """What stands in `results.json`."""
        return {
            "suite": {"name": self.suite.name, "sha256": self.suite.digest, "tasks": len(self.suite.tasks)},
            "policy": dict(self.policy),
            "sampling": dict(self.sampling),
            "plays": self.plays,
            "hinted": self.hinted,
            "score": _score(self.score),
            **({"strict": _score(self.strict)} if self.strict else {}),
            **({"tasks": named} if (named := self.tasks()) else {}),
            "floors": {name: _score(score) for name, score in self.floors.items()},
            "cut": self.cut,
            "seconds": round(self.seconds, 3),
            "versions": {"python": platform.python_version(), **_versions()},
        }

    def tasks(self) -> dict[str, JSON]:
        """Mean return by task, where the suite has names for them."""
        return {
            task.name: score_of([task], [playtest], hinted=self.hinted).mean
            for task, playtest in zip(self.suite.tasks, self.playtests, strict=True)
            if task.name
        }


def write_results(evaluation: Evaluation, folder: Path) -> Path:
    """Write `results.json` and `samples.jsonl`; the path of the first. Raises StorageError."""
    path = folder / RESULTS
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / SAMPLES).open("wb") as file:
            for sample in _samples(evaluation):
                file.write(msgspec.json.encode(sample) + b"\n")
        path.write_text(json.dumps(evaluation.record(), indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise StorageError(f"the results cannot be written to {folder}: {error.strerror}") from None
    return path


def _samples(evaluation: Evaluation) -> Iterator[dict[str, object]]:
    for task, playtest in zip(evaluation.suite.tasks, evaluation.playtests, strict=True):
        for episode in playtest.episodes:
            if episode.hinted == evaluation.hinted:
                yield _sample(task, episode)


def _sample(task: HeldOutTask, episode: Episode) -> dict[str, object]:
    return {
        "family": task.family,
        **({"name": task.name} if task.name else {}),
        "level": task.level,
        "design": task.design.id,
        "seed": episode.seed,
        "play": episode.play,
        "outcome": episode.outcome.value,
        "return": episode.return_,
        "cause": _utf8(episode.cause),
        "first_observation": _utf8(episode.first_observation),
        "turns": [
            {
                "reply": _utf8(turn.reply),
                "observation": _utf8(turn.observation.text),
                "results": [_utf8(result) for result in turn.observation.results],
                "reward": turn.reward,
            }
            for turn in episode.turns
        ],
    }


def _utf8(text: str) -> str:
    """A program may print half a surrogate pair, which UTF-8 cannot hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _score(score: Score) -> dict[str, JSON]:
    return {
        "mean": score.mean,
        "low": score.low,
        "high": score.high,
        "families": dict(score.families),
        "episodes": score.episodes,
        "void": score.void,
    }


def _versions() -> dict[str, JSON]:
    found: dict[str, JSON] = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
