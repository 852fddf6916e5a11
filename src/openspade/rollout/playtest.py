"""Playing designs: the same seeds with and without the hint, one runner for both."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace

from openspade.chance import environment_seed
from openspade.credit.outcome import Ending
from openspade.engine.base import Engine
from openspade.roles.prompts import Prompts
from openspade.rollout.alone import FAULTS, play_again_alone
from openspade.rollout.blind import blind_return
from openspade.rollout.episode import Seat, Table, play_episode
from openspade.rollout.outage import OutageWatch, first_halt, halt_on_outage
from openspade.rollout.sampler import Sampler
from openspade.sandbox.base import Environment, Sandbox
from openspade.sandbox.failures import ProgramFault, SandboxFailure, SandboxLost
from openspade.settings.learning import AgentConfig
from openspade.settings.worlds import PlaytestConfig
from openspade.types import Design, Episode, Observation, Outcome, Playtest, Replay

DISQUALIFYING_FAULT = "reward_range"


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """One design to play: which seeds, how often each, whether the hinted arm is played too, how many are rechecked."""

    design: Design
    seeds: tuple[int, ...]
    plays: int
    hinted: bool
    replayed: bool = False
    alone: int = 0

    def slots(self) -> list[tuple[int, int, bool]]:
        """(seed, play, hinted) of every episode."""
        arms = (False, True) if self.hinted else (False,)
        return [(seed, play, arm) for seed in self.seeds for play in range(self.plays) for arm in arms]


@dataclass(frozen=True, kw_only=True, slots=True)
class Playtester:
    """Plays designs in the sandbox, all episodes at once."""

    engine: Engine
    sampler: Sampler
    pool: Sandbox
    prompts: Prompts
    agent: AgentConfig
    limits: PlaytestConfig
    run_seed: int

    async def playtest(self, designs: Sequence[Design], replays: Sequence[Replay], cycle: int) -> list[Playtest]:
        """Both arms of each new design; replayed ones on instances not played before, hinted where they ask for it."""
        count = self.limits.seeds
        plans = [self._plan(design, range(count), hinted=True) for design in designs]
        later = range(cycle * count, (cycle + 1) * count)
        plans += [replace(self._plan(again.design, later, hinted=again.hinted), replayed=True) for again in replays]
        return await self.play(plans, key=f"{self.run_seed}/{cycle}")

    async def play(self, plans: Sequence[Plan], *, key: str) -> list[Playtest]:
        """Play every plan; `key` names this occasion for the episodes' random draws.

        Raises RunError when our own infrastructure voided `halt_after` episodes in a row, or half of all.
        """
        table = Table(
            chat=self.engine.chat,
            sampler=self.sampler,
            prompts=self.prompts,
            sampling=self.agent.sampling(),
            limits=self.limits,
            policy_version=self.engine.version,
        )
        outage = OutageWatch(self.limits.halt_after)
        self.sampler.seat(sum(len(plan.slots()) for plan in plans))
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._play_plan(plan, table, key, outage)) for plan in plans]
        except BaseExceptionGroup as errors:
            raise first_halt(errors) or errors from None
        playtests = [task.result() for task in tasks]
        halt_on_outage(playtests)
        return playtests

    def _plan(self, design: Design, indices: range, *, hinted: bool) -> Plan:
        seeds = tuple(environment_seed(self.run_seed, design.id, index) for index in indices)
        return Plan(design=design, seeds=seeds, plays=self.limits.plays, hinted=hinted, alone=self.limits.played_alone)

    async def _play_plan(self, plan: Plan, table: Table, key: str, outage: OutageWatch) -> Playtest:
        slots = plan.slots()
        try:
            async with AsyncExitStack() as children:
                seated = await self._seated(plan, key, children)
                async with asyncio.TaskGroup() as group:
                    tasks = {
                        (seat.seed, seat.play, seat.hinted): group.create_task(
                            outage.watch(self._play_seat(seat, first, table))
                        )
                        for seat, first in seated
                    }
        except SandboxFailure as failure:
            self.sampler.leave(len(slots))
            return Playtest(
                design=plan.design, episodes=(), fault=FAULTS.get(type(failure), "program"), replayed=plan.replayed
            )
        episodes = tuple(tasks[slot].result()[0] for slot in slots)
        faults = [fault for slot in slots if (fault := tasks[slot].result()[1])]
        again = await play_again_alone(self.pool, plan.design, episodes, 0 if faults else plan.alone, key)
        fault = faults[0] if faults else again.fault
        asked = plan.hinted and plan.alone and not fault
        return Playtest(
            design=plan.design,
            episodes=episodes,
            fault=fault,
            replayed=plan.replayed,
            alone=again.episodes,
            blind_return=await blind_return(self.pool, plan.design, episodes, self.limits.return_) if asked else None,
        )

    async def _seated(
        self, plan: Plan, key: str, children: AsyncExitStack
    ) -> list[tuple[Seat, Observation | ProgramFault]]:
        """Every episode's seat and first observation: each arm in a child of its own, both told the same seeds alike.

        A program can tell the arms neither by what is shared nor by the order: which is opened first is drawn, too.
        """
        rng = random.Random(f"{key}/{plan.design.id}/order")
        plays = list(dict.fromkeys((seed, play) for seed, play, _ in plan.slots()))
        arms = sorted({hinted for _, _, hinted in plan.slots()})
        rng.shuffle(plays)
        rng.shuffle(arms)
        seated: list[tuple[Seat, Observation | ProgramFault]] = []
        for hinted in arms:
            environment, firsts = await self._begin(plan.design, [seed for seed, _ in plays])
            await children.enter_async_context(environment)
            for instance, (seed, play) in enumerate(plays):
                seat = Seat(
                    design=plan.design,
                    environment=environment,
                    instance=instance,
                    seed=seed,
                    play=play,
                    hinted=hinted,
                    key=f"{key}/{plan.design.id}/{seed}/{play}/{hinted}",
                )
                seated.append((seat, firsts[instance]))
        return seated

    async def _play_seat(self, seat: Seat, first: Observation | ProgramFault, table: Table) -> tuple[Episode, str]:
        """One episode and the fault that disqualifies its design, if any. A void one is tried once more, afresh."""
        try:
            episode = await play_episode(seat, first, table)
            if episode.outcome is Outcome.VOID and episode.cause != DISQUALIFYING_FAULT:
                environment, firsts = await self._begin(seat.design, [seat.seed])
                async with environment:
                    again = replace(seat, environment=environment, instance=0, key=f"{seat.key}/again")
                    episode = await play_episode(again, firsts[0], table)
            return episode, DISQUALIFYING_FAULT if episode.cause == DISQUALIFYING_FAULT else ""
        except SandboxLost as lost:
            return _void(seat, f"{Ending.INFRASTRUCTURE}: {lost}"), ""
        except SandboxFailure as failure:
            fault = FAULTS.get(type(failure), "program")
            return _void(seat, fault), fault
        finally:
            self.sampler.leave()

    async def _begin(
        self, design: Design, seeds: Sequence[int]
    ) -> tuple[Environment, list[Observation | ProgramFault]]:
        """An open environment, one instance a seed, all reset; once more elsewhere when its machine is lost."""
        for last in (False, True):
            environment = await self.pool.open(design.source, instances=len(seeds))
            try:
                return environment, await environment.reset(seeds)
            except BaseException as error:
                await environment.close()
                if last or not isinstance(error, SandboxLost):
                    raise
        raise AssertionError("the second attempt returns or raises")


def _void(seat: Seat, cause: str) -> Episode:
    return Episode(
        design_id=seat.design.id,
        seed=seat.seed,
        play=seat.play,
        hinted=seat.hinted,
        outcome=Outcome.VOID,
        cause=cause,
    )
