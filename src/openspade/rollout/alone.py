"""Some episodes are played again alone: what a program pays may depend on seed and actions, and on nothing beside."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from openspade.sandbox.base import Sandbox
from openspade.sandbox.failures import ChildDied, DeadlineExceeded, ProtocolViolation, SandboxFailure, SandboxLost
from openspade.types import UNLIKE_ALONE, Design, Episode, Observation, Outcome, StepResult

FAULTS: dict[type[SandboxFailure], str] = {DeadlineExceeded: "hung", ChildDied: "died", ProtocolViolation: "violation"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Recheck:
    """How many episodes were played again, and the fault of the design when one went otherwise."""

    episodes: int = 0
    fault: str = ""


async def play_again_alone(pool: Sandbox, design: Design, episodes: Sequence[Episode], count: int, key: str) -> Recheck:
    """Plays `count` episodes, drawn after play, again in fresh children: one instance, the same seed and actions.

    The draw follows the replies that the policy sampled too, so that no program can know it beforehand.
    """
    said = "\0".join(turn.reply for episode in episodes for turn in episode.turns)
    sound = [episode for episode in episodes if episode.outcome is not Outcome.VOID]
    chosen = random.Random(f"{key}/{design.id}/alone/{said}").sample(sound, min(count, len(sound)))
    checked = 0
    for episode in chosen:
        try:
            shown = await pool.transcript(design.source, episode.seed, [turn.action for turn in episode.turns])
        except SandboxLost:
            continue
        except SandboxFailure as failure:
            return Recheck(episodes=checked + 1, fault=FAULTS.get(type(failure), "program"))
        checked += 1
        if not _is_same(episode, shown):
            return Recheck(episodes=checked, fault=UNLIKE_ALONE)
    return Recheck(episodes=checked)


def _is_same(episode: Episode, shown: Sequence[object]) -> bool:
    first, *steps = shown
    if not isinstance(first, Observation) or first.text != episode.first_observation:
        return False
    if len(steps) != len(episode.turns) or not all(isinstance(step, StepResult) for step in steps):
        return False
    results = [step for step in steps if isinstance(step, StepResult)]
    if any(
        (result.observation, result.reward) != (turn.observation, turn.reward)
        for result, turn in zip(results, episode.turns, strict=True)
    ):
        return False
    # An episode without a cause ended by itself.
    return not results or results[-1].terminated == (not episode.cause)
