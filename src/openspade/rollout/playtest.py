"""Playing designs: the same seeds with and without the hint, one runner for both."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from openspade.chance import environment_seed
from openspade.credit.outcome import Ending
from openspade.engine.base import Engine
from openspade.errors import RunError
from openspade.roles.prompts import Prompts
from openspade.rollout.episode import Seat, Table, play_episode
from openspade.rollout.sampler import Sampler
from openspade.sandbox.failures import ChildDied, DeadlineExceeded, ProgramFault, ProtocolViolation, SandboxFailure
from openspade.sandbox.pool import SandboxPool
from openspade.settings.learning import AgentConfig
from openspade.settings.worlds import PlaytestConfig
from openspade.types import Design, Episode, Observation, Outcome, Playtest, Replay

DISQUALIFYING_FAULT = "reward_range"
FAULTS: dict[type[SandboxFailure], str] = {DeadlineExceeded: "hung", ChildDied: "died", ProtocolViolation: "violation"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """One design to play: which seeds, how often each, and whether the hinted arm is played too."""

    design: Design
    seeds: tuple[int, ...]
    plays: int
    hinted: bool
    replayed: bool = False

    def slots(self) -> list[tuple[int, int, bool]]:
        """(seed, play, hinted) of every episode."""
        arms = (False, True) if self.hinted else (False,)
        return [(seed, play, arm) for seed in self.seeds for play in range(self.plays) for arm in arms]


@dataclass(frozen=True, kw_only=True, slots=True)
class Playtester:
    """Plays designs in the sandbox, all episodes at once."""

    engine: Engine
    sampler: Sampler
    pool: SandboxPool
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

        Raises RunError when our own infrastructure voided half of the episodes or more.
        """
        table = Table(
            chat=self.engine.chat,
            sampler=self.sampler,
            prompts=self.prompts,
            sampling=self.agent.sampling(),
            limits=self.limits,
            policy_version=self.engine.version,
        )
        self.sampler.seat(sum(len(plan.slots()) for plan in plans))
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._play_plan(plan, table, key)) for plan in plans]
        playtests = [task.result() for task in tasks]
        _halt_on_outage(playtests)
        return playtests

    def _plan(self, design: Design, indices: range, *, hinted: bool) -> Plan:
        seeds = tuple(environment_seed(self.run_seed, design.id, index) for index in indices)
        return Plan(design=design, seeds=seeds, plays=self.limits.plays, hinted=hinted)

    async def _play_plan(self, plan: Plan, table: Table, key: str) -> Playtest:
        slots = plan.slots()
        try:
            environment = await self.pool.open(plan.design.source, instances=len(slots))
            async with environment:
                firsts = await environment.reset([seed for seed, _, _ in slots])
                seats = [
                    Seat(
                        design=plan.design,
                        environment=environment,
                        instance=instance,
                        seed=seed,
                        play=play,
                        hinted=hinted,
                        key=f"{key}/{plan.design.id}/{seed}/{play}/{hinted}",
                    )
                    for instance, (seed, play, hinted) in enumerate(slots)
                ]
                async with asyncio.TaskGroup() as group:
                    tasks = [
                        group.create_task(self._play_seat(seat, first, table))
                        for seat, first in zip(seats, firsts, strict=True)
                    ]
        except SandboxFailure as failure:
            self.sampler.leave(len(slots))
            return Playtest(
                design=plan.design, episodes=(), fault=FAULTS.get(type(failure), "program"), replayed=plan.replayed
            )
        episodes = tuple(task.result()[0] for task in tasks)
        faults = [fault for task in tasks if (fault := task.result()[1])]
        return Playtest(
            design=plan.design, episodes=episodes, fault=faults[0] if faults else "", replayed=plan.replayed
        )

    async def _play_seat(self, seat: Seat, first: Observation | ProgramFault, table: Table) -> tuple[Episode, str]:
        """One episode and the fault that disqualifies its design, if any. A void one is tried once more, afresh."""
        try:
            episode = await play_episode(seat, first, table)
            if episode.outcome is Outcome.VOID and episode.cause != DISQUALIFYING_FAULT:
                async with await self.pool.open(seat.design.source, instances=1) as environment:
                    again = replace(seat, environment=environment, instance=0, key=f"{seat.key}/again")
                    episode = await play_episode(again, (await environment.reset([seat.seed]))[0], table)
            return episode, DISQUALIFYING_FAULT if episode.cause == DISQUALIFYING_FAULT else ""
        except SandboxFailure as failure:
            void = Episode(
                design_id=seat.design.id,
                seed=seat.seed,
                play=seat.play,
                hinted=seat.hinted,
                outcome=Outcome.VOID,
                cause=FAULTS.get(type(failure), "program"),
            )
            return void, FAULTS.get(type(failure), "program")
        finally:
            self.sampler.leave()


def _halt_on_outage(playtests: Sequence[Playtest]) -> None:
    episodes = [episode for playtest in playtests for episode in playtest.episodes]
    lost = Counter(e.cause for e in episodes if _is_ours(e))
    if episodes and 2 * lost.total() >= len(episodes):
        cause, count = lost.most_common(1)[0]
        raise RunError(
            f"{lost.total()} of {len(episodes)} episodes were lost to our own infrastructure; {count} to: {cause}"
        )


def _is_ours(episode: Episode) -> bool:
    return episode.outcome is Outcome.VOID and episode.cause.startswith(Ending.INFRASTRUCTURE)
