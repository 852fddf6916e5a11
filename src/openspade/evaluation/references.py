"""Policies that need no model: what knowing everything and knowing nothing score on a suite.

`oracle` plays each instance's own plan: anything below 1 is a fault of the suite. `null` says nothing. `random` plays
the plan of another instance of the same family, and of the same task where the family's tasks have names. `constant`
plays the family's commonest first move again and again: the majority floor. `copy` says the observation back.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from openspade.credit.outcome import Ending, conclude
from openspade.errors import SandboxError
from openspade.evaluation.suites import HeldOutTask
from openspade.sandbox.base import Environment, Sandbox
from openspade.sandbox.failures import ProgramFault, SandboxFailure
from openspade.settings.worlds import PlaytestConfig
from openspade.types import Action, Episode, Observation, Outcome, Playtest, StepResult, Turn

Reference = Literal["oracle", "null", "random", "constant", "copy"]
REFERENCES: tuple[Reference, ...] = get_args(Reference)
FLOORS: tuple[Reference, ...] = ("null", "random", "constant", "copy")
SILENCE = Action(text="")
Plan = Sequence[Action]
Player = Callable[[str], Action]
"""What is done when an observation is seen."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """What a reference policy may know of an instance: its own plan, those of all instances of tasks of its name, and
    those of its whole family."""

    plan: Plan
    namesakes: Sequence[Plan]
    family: Sequence[Plan]
    rng: random.Random


class References:
    """Reference policies on a suite; what they know of its instances is asked for once."""

    def __init__(self, pool: Sandbox, tasks: Sequence[HeldOutTask], limits: PlaytestConfig) -> None:
        self._pool = pool
        self._tasks = tasks
        self._limits = limits
        self._plans: list[list[Plan]] = []

    async def play(self, policy: Reference) -> list[Playtest]:
        """One episode of every instance of every task. Raises SandboxError where a suite's program has no plan."""
        self._plans = self._plans or [await _plans(self._pool, task) for task in self._tasks]
        playtests = []
        for place, task in enumerate(self._tasks):
            players = [_PLAYERS[policy](known) for known in self._known(place, policy)]
            playtests.append(await _play_task(self._pool, task, players, self._limits))
        return playtests

    def _known(self, place: int, policy: Reference) -> Iterator[Known]:
        """What is known of each instance of the task at that place."""
        task = self._tasks[place]
        family = [other for other, one in enumerate(self._tasks) if one.family == task.family]
        namesakes = [other for other in family if self._tasks[other].name == task.name]
        for plan, seed in zip(self._plans[place], task.seeds, strict=True):
            yield Known(
                plan=plan,
                namesakes=[one for other in namesakes for one in self._plans[other]],
                family=[one for other in family for one in self._plans[other]],
                rng=random.Random(f"{policy}/{task.design.id}/{seed}"),
            )


async def _plans(pool: Sandbox, task: HeldOutTask) -> list[Plan]:
    try:
        async with await pool.open(task.design.source, instances=len(task.seeds)) as environment:
            await environment.reset(task.seeds)
            plans = [*(await environment.plan()).values()]
    except SandboxFailure as failure:
        raise SandboxError(f"{task.family} {task.level} of the suite cannot be played: {failure}") from None
    whole: list[Plan] = [plan for plan in plans if not isinstance(plan, ProgramFault)]
    if len(whole) < len(plans):
        raise SandboxError(f"{task.family} {task.level} of the suite has an instance without a solution()")
    return whole


async def _play_task(pool: Sandbox, task: HeldOutTask, players: Sequence[Player], limits: PlaytestConfig) -> Playtest:
    try:
        async with await pool.open(task.design.source, instances=len(task.seeds)) as environment:
            firsts = await environment.reset(task.seeds)
            episodes = [
                await _play(environment, (place, task), first, players[place], limits)
                for place, first in enumerate(firsts)
            ]
    except SandboxFailure as failure:
        return Playtest(design=task.design, episodes=(), fault=type(failure).__name__)
    return Playtest(design=task.design, episodes=tuple(episodes))


async def _play(
    environment: Environment,
    seat: tuple[int, HeldOutTask],
    first: Observation | ProgramFault,
    player: Player,
    limits: PlaytestConfig,
) -> Episode:
    place, task = seat
    turns: list[Turn] = []
    if isinstance(first, ProgramFault):
        return _episode(task, place, "", turns, Ending.CRASH, limits)
    ending, seen = Ending.TURNS, first
    for _ in range(min(task.design.max_turns, limits.max_turns)):
        action = player(seen.text)
        result = (await environment.step({place: action}))[place]
        if isinstance(result, ProgramFault):
            ending = Ending.CRASH
            break
        turns.append(Turn(reply=_words(action), action=action, observation=result.observation, reward=result.reward))
        seen = result.observation
        if result.terminated or result.truncated:
            ending = _ending(result)
            break
    return _episode(task, place, first.text, turns, ending, limits)


def _episode(
    task: HeldOutTask, place: int, first: str, turns: Sequence[Turn], ending: Ending, limits: PlaytestConfig
) -> Episode:
    outcome, return_ = conclude(ending, [turn.reward for turn in turns], limits.return_)
    return Episode(
        design_id=task.design.id,
        seed=task.seeds[place],
        play=0,
        hinted=False,
        outcome=outcome,
        return_=return_,
        cause="" if outcome in (Outcome.SOLVED, Outcome.FAILED) else ending.value,
        first_observation=first,
        turns=tuple(turns),
    )


def _ending(result: StepResult) -> Ending:
    return Ending.TERMINATED if result.terminated else Ending.ENVIRONMENT


def _other_plan(known: Known) -> Plan:
    others = [plan for plan in known.namesakes if plan is not known.plan]
    return known.rng.choice(others) if others else ()


def _commonest(known: Known) -> Action:
    firsts = [plan[0] for plan in known.family if plan]
    counts = Counter(map(_words, firsts))
    return max(firsts, key=lambda action: (counts[_words(action)], _words(action)), default=SILENCE)


def _words(action: Action) -> str:
    """An action as one text; equal actions have equal ones."""
    calls = [f"{call.name}({json.dumps(dict(call.arguments), sort_keys=True)})" for call in action.calls]
    return " ".join([*calls, action.text]).strip()


def _following(plan: Plan) -> Player:
    moves = iter(plan)
    return lambda _: next(moves, SILENCE)


def _repeating(move: Action) -> Player:
    return lambda _: move


_PLAYERS: Mapping[Reference, Callable[[Known], Player]] = {
    "oracle": lambda known: _following(known.plan),
    "null": lambda _: _repeating(SILENCE),
    "random": lambda known: _following(_other_plan(known)),
    "constant": lambda known: _repeating(_commonest(known)),
    "copy": lambda _: lambda seen: Action(text=seen),
}
