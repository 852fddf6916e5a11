"""A design in its child, tried out: many instances in lockstep, each fact found out once and shared by the gates."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from openspade.chance import stable_hash
from openspade.sandbox.base import Environment, Sandbox
from openspade.sandbox.failures import ProgramFault
from openspade.settings.worlds import GatesConfig
from openspade.tokens import JSON
from openspade.types import Action, Design, Draft, Observation, StepResult

Transcript = tuple[Observation | StepResult | ProgramFault, ...]

INSTANCES = 256
VARIETY_SEEDS = 32
PATIENCE = 3
"""Equal observations in a row after which a player that cannot learn anything new gives up."""


@dataclass(frozen=True, kw_only=True)
class View:
    """What a player may look at. `foreign` is another instance's solution, `elsewhere` the moves of all others'."""

    first: str
    last: Observation
    turn: int
    rng: random.Random
    foreign: Sequence[Action] = ()
    elsewhere: Sequence[Action] = ()


class Player(Protocol):
    """A scripted player; `patient` ones go on although nothing changes. None gives up."""

    @property
    def name(self) -> str: ...

    @property
    def patient(self) -> bool: ...

    def act(self, view: View) -> Action | None: ...


@dataclass(frozen=True, kw_only=True)
class Script:
    """Plays given actions in order."""

    actions: tuple[Action, ...]
    name: str = "script"
    patient: bool = True

    def act(self, view: View) -> Action | None:
        return self.actions[view.turn] if view.turn < len(self.actions) else None


@dataclass(frozen=True, kw_only=True)
class Cast:
    """Who plays which instance."""

    seed: int
    player: Player
    foreign: tuple[Action, ...] = ()
    elsewhere: tuple[Action, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Instance:
    """One seed's beginning: what is shown and how it is solved, or how either failed."""

    seed: int
    first: Observation | ProgramFault
    plan: tuple[Action, ...] | ProgramFault


@dataclass(kw_only=True)
class Play:
    """One play as it went; `infos` are the reports for gates, one for the reset and one a step."""

    seed: int
    player: Player
    first: Observation | ProgramFault
    moves: list[tuple[Action, StepResult]] = field(default_factory=list)
    fault: ProgramFault | None = None
    infos: list[Mapping[str, JSON]] = field(default_factory=list)

    @property
    def solved(self) -> bool:
        return bool(self.moves) and self.moves[-1][1].terminated and self.moves[-1][1].reward >= 1

    @property
    def ended(self) -> bool:
        return bool(self.moves) and (self.moves[-1][1].terminated or self.moves[-1][1].truncated)

    @property
    def earned(self) -> float:
        """The best reward seen: an attacker is given every benefit of the doubt."""
        return max((result.reward for _, result in self.moves), default=0.0)

    @property
    def observations(self) -> list[Observation]:
        shown = [] if isinstance(self.first, ProgramFault) else [self.first]
        return shown + [result.observation for _, result in self.moves]

    @property
    def transcript(self) -> Transcript:
        """What the same play in a child of its own must show."""
        fault = (self.fault,) if self.fault else ()
        return (self.first, *(result for _, result in self.moves), *fault)


class Probe:
    """The open environment of one design and what is known of it so far."""

    def __init__(
        self, pool: Sandbox, environment: Environment, *, draft: Draft, design: Design, config: GatesConfig
    ) -> None:
        self.pool = pool
        self.environment = environment
        self.skill = draft.brief.skill
        """What was asked for."""
        self.design = design
        self.config = config
        self.plays: list[Play] = []
        """Every play so far."""
        self._alone: dict[tuple[int, int], Transcript] = {}
        self._instances: list[Instance] = []
        self._oracle: list[Play] = []
        self._alone_s = 0.0
        self._seed_key = f"gates/{draft.brief.seed or ''}{design.id}"
        self._looked_at = 0

    @property
    def is_tool(self) -> bool:
        return self.environment.description.kind == "tool"

    @property
    def child_s(self) -> float:
        """CPU seconds of all children so far."""
        return self.environment.cpu_s + self._alone_s

    def seeds(self, count: int, start: int = 0) -> list[int]:
        """The gate seeds of the design under its brief, which its program cannot know: the same in every process."""
        return [stable_hash(f"{self._seed_key}/{index}") % 2**31 for index in range(start, start + count)]

    async def instances(self) -> list[Instance]:
        """The first 32 seeds, or as many as the gates want, begun."""
        if not self._instances:
            self._instances = await self.begin(self.seeds(max(VARIETY_SEEDS, self.config.seeds)))
        return self._instances

    async def begin(self, seeds: Sequence[int]) -> list[Instance]:
        """Resets and plans of these seeds, fresh."""
        begun: list[Instance] = []
        for start in range(0, len(seeds), INSTANCES):
            chunk = dict(enumerate(seeds[start : start + INSTANCES]))
            firsts = await self.environment.reset(chunk)
            plans = await self.environment.plan(list(chunk))
            for index, seed in chunk.items():
                plan = plans[index]
                fixed = plan if isinstance(plan, ProgramFault) else tuple(plan)
                begun.append(Instance(seed=seed, first=firsts[index], plan=fixed))
        return begun

    async def solved_plans(self) -> list[tuple[Action, ...]]:
        """The plans that could be made, one an instance."""
        return [one.plan for one in await self.instances() if not isinstance(one.plan, ProgramFault)]

    async def oracle(self) -> list[Play]:
        """The design's own plans on the gate seeds, each played by two instances in lockstep; twins side by side."""
        if not self._oracle:
            chosen = (await self.instances())[: self.config.seeds]
            casts = [
                Cast(seed=one.seed, player=Script(actions=one.plan, name="solution"))
                for one in chosen
                for _ in range(2)
                if not isinstance(one.plan, ProgramFault)
            ]
            self._oracle = await self.play(casts, watch=self.is_tool)
        return self._oracle

    async def play_alone(self, play: Play, *, hash_seed: int) -> Transcript:
        """The same seed and actions again, by one instance in a fresh child under this hash seed."""
        key = (play.seed, hash_seed)
        if key not in self._alone:
            source, moves = self.design.source, [action for action, _ in play.moves]
            async with await self.pool.open(source, hash_seed=hash_seed, fresh=True) as child:
                self._alone[key] = await _transcript(child, play.seed, moves)
                self._alone_s += child.cpu_s
        return self._alone[key]

    async def play_sharing(self, plays: Sequence[Play]) -> list[Transcript]:
        """The same plays again, side by side in a child where all instances share one module."""
        async with await self.pool.open(self.design.source, instances=len(plays), shared=True) as child:
            firsts = await child.reset([play.seed for play in plays])
            shown: list[list[Observation | StepResult | ProgramFault]] = [[first] for first in firsts]
            for turn in range(max(len(play.moves) for play in plays)):
                actions = {
                    index: play.moves[turn][0]
                    for index, play in enumerate(plays)
                    if turn < len(play.moves) and not _is_over(shown[index][-1])
                }
                for index, result in (await child.step(actions)).items() if actions else ():
                    shown[index].append(result)
            self._alone_s += child.cpu_s
        return [tuple(one) for one in shown]

    @asynccontextmanager
    async def variant(self, source: str, instances: int) -> AsyncIterator[Environment]:
        """Another program in a child of its own; what it costs is counted with the design."""
        async with await self.pool.open(source, instances=instances) as child:
            yield child
            self._alone_s += child.cpu_s

    def new_fault(self) -> Play | None:
        """The first play since the last question that the program broke off."""
        asked, self._looked_at = self._looked_at, len(self.plays)
        return next((play for play in self.plays[asked:] if play.fault), None)

    async def play(self, casts: Sequence[Cast], *, watch: bool = False) -> list[Play]:
        """All casts in lockstep, one message a turn."""
        plays: list[Play] = []
        for start in range(0, len(casts), INSTANCES):
            plays += await self._play_together(casts[start : start + INSTANCES], watch)
        self.plays += plays
        return plays

    async def _play_together(self, casts: Sequence[Cast], watch: bool) -> list[Play]:
        firsts = await self.environment.reset({index: cast.seed for index, cast in enumerate(casts)})
        plays = [Play(seed=cast.seed, player=cast.player, first=firsts[index]) for index, cast in enumerate(casts)]
        rngs = [random.Random(f"{self.design.id}/{cast.player.name}/{cast.seed}") for cast in casts]
        going = [index for index, play in enumerate(plays) if not isinstance(play.first, ProgramFault)]
        self._watch(plays, going, watch)
        for turn in range(self.design.max_turns):
            actions: dict[int, Action] = {}
            for index in going:
                action = _next_action(casts[index], plays[index], turn, rngs[index])
                if action is not None:
                    actions[index] = action
            if not actions:
                break
            results = await self.environment.step(actions)
            going = [index for index, result in results.items() if _recorded(plays[index], actions[index], result)]
            self._watch(plays, list(results), watch)
        return plays

    def _watch(self, plays: Sequence[Play], indices: Sequence[int], watch: bool) -> None:
        if watch:
            for index in indices:
                plays[index].infos.append(self.environment.info(index))


async def _transcript(child: Environment, seed: int, actions: Sequence[Action]) -> Transcript:
    (first,) = await child.reset([seed])
    shown: list[Observation | StepResult | ProgramFault] = [first]
    for action in actions if isinstance(first, Observation) else ():
        shown.append((await child.step({0: action}))[0])
        if _is_over(shown[-1]):
            break
    return tuple(shown)


def _is_over(shown: Observation | StepResult | ProgramFault) -> bool:
    if isinstance(shown, StepResult):
        return shown.terminated or shown.truncated
    return isinstance(shown, ProgramFault)


def _next_action(cast: Cast, play: Play, turn: int, rng: random.Random) -> Action | None:
    observations = play.observations
    if not cast.player.patient and len(observations) > PATIENCE:
        recent = observations[-PATIENCE:]
        if all(observation == recent[0] for observation in recent):
            return None
    view = View(
        first=observations[0].text,
        last=observations[-1],
        turn=turn,
        rng=rng,
        foreign=cast.foreign,
        elsewhere=cast.elsewhere,
    )
    return cast.player.act(view)


def _recorded(play: Play, action: Action, result: StepResult | ProgramFault) -> bool:
    """Whether the play goes on."""
    if isinstance(result, ProgramFault):
        play.fault = result
        return False
    play.moves.append((action, result))
    return not (result.terminated or result.truncated)
