"""A second reading of suites whose scorers have holes: what was won by one is lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from openspade.evaluation.evaluate import Score, score_of
from openspade.evaluation.suites import HeldOutTask
from openspade.given.verdicts import LOOSE
from openspade.types import Episode, Playtest


def strict_score(tasks: Sequence[HeldOutTask], playtests: Sequence[Playtest], *, hinted: bool) -> Score | None:
    """The score without what was won only loosely; None for a suite that knows no such win."""
    if not any(task.loose for task in tasks):
        return None
    strict = [replace(playtest, episodes=tuple(map(_strictly, playtest.episodes))) for playtest in playtests]
    return score_of(tasks, strict, hinted=hinted)


def _strictly(episode: Episode) -> Episode:
    loosely = bool(episode.turns) and episode.turns[-1].observation.text == LOOSE
    return replace(episode, return_=0.0) if loosely else episode
