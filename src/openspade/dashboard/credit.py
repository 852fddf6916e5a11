"""Advantages worked out again from what is stored: returns, rewards, and the settings that the run was trained with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openspade.config import Config
from openspade.credit.advantage import Earned, advantages
from openspade.credit.outcome import Ending
from openspade.memory.database import Database
from openspade.memory.read.design_history import Play, Reward, rewards, unaided_plays
from openspade.tokens import Role, TokenStream


@dataclass(frozen=True, kw_only=True, slots=True)
class Advantage:
    """What an episode or a draft was worth to the loss; `value` 0 and a reason where it taught nothing."""

    value: float
    reward: float
    group: Sequence[float]
    why_not: str = ""


def episode_advantage(database: Database, play: Play, config: Config) -> Advantage:
    """Of one episode, as the loss saw it."""
    if play.hinted:
        return Advantage(value=0.0, reward=play.return_, group=(), why_not="hinted episodes only measure")
    if play.outcome == "void":
        return Advantage(value=0.0, reward=play.return_, group=(), why_not="void episodes say nothing")
    plays = unaided_plays(database, play.cycle)
    trained = config.train.truncated == "penalise"
    earned = [
        _earned(
            "agent",
            place,
            (each.design_id, each.seed),
            each.return_,
            trained=trained or each.cause not in (Ending.TOKENS, Ending.CONTEXT),
        )
        for place, each in enumerate(plays)
    ]
    found = _by_place(earned, config)
    group = [each.return_ for each in plays if (each.design_id, each.seed) == (play.design_id, play.seed)]
    place = next((place for place, each in enumerate(plays) if each.line == play.line), -1)
    if place in found:
        return Advantage(value=found[place], reward=play.return_, group=group)
    reason = "the playtest did not qualify" if place < 0 else _flat_or_masked(group)
    return Advantage(value=0.0, reward=play.return_, group=group, why_not=reason)


def draft_advantages(database: Database, cycle: int, config: Config) -> dict[str, Advantage]:
    """Of every draft of a cycle that was paid."""
    paid = rewards(database, cycle)
    groups = [_group(reward, config.designer.baseline) for reward in paid]
    earned = [_earned("designer", place, groups[place], reward.value) for place, reward in enumerate(paid)]
    found = _by_place(earned, config)
    return {
        reward.draft_id: Advantage(
            value=found.get(place, 0.0),
            reward=reward.value,
            group=[other.value for other, group in zip(paid, groups, strict=True) if group == groups[place]],
            why_not="" if place in found else "all drafts of its group earned the same",
        )
        for place, reward in enumerate(paid)
    }


def _earned(role: Role, place: int, group: object, reward: float, *, trained: bool = True) -> Earned:
    # The stream carries the place, so that what comes back can be told apart.
    stream = TokenStream(ids=(place,), written=(True,), logprobs=(0.0,))
    return Earned(role=role, group=str(group), reward=reward, streams=(stream,), trained=trained)


def _by_place(earned: Sequence[Earned], config: Config) -> dict[int, float]:
    weights: dict[Role, float] = {
        "designer": config.advantage.designer_weight,
        "agent": config.advantage.agent_weight,
    }
    found = advantages(earned, config.advantage.scale, weights)
    return {trajectory.stream.ids[0]: trajectory.advantage for trajectory in found}


def _group(reward: Reward, baseline: str) -> str:
    return {"brief": reward.brief_id, "skill": reward.skill}.get(baseline, "batch")


def _flat_or_masked(group: Sequence[float]) -> str:
    if not group or max(group) == min(group):
        return "all plays of this instance earned the same"
    return "it was cut by a token limit and left out of the loss, or this role is not trained"
