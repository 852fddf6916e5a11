"""The ladder: every gate in order, cheapest first; the first that fails stops, and nothing passes by accident."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator, Sequence
from functools import partial
from typing import Any

from openspade.errors import OpenSpadeError, SandboxError
from openspade.sandbox.base import Sandbox
from openspade.sandbox.failures import DeadlineExceeded, ProgramError, SandboxFailure, SandboxLost
from openspade.settings.worlds import GatesConfig
from openspade.types import Design, Draft, GateResult, Problem, Verdict
from openspade.verifier.gate import Case, Judgement, Reading, Trial, faulty, short
from openspade.verifier.gates import cheap, depth, leaks, repeating, solvable, starting, static, steps, text
from openspade.verifier.gates.arguments import arguments
from openspade.verifier.gates.luck import luck
from openspade.verifier.gates.novelty import DesignIndex, Looks, families, looks_of, novel
from openspade.verifier.gates.starting import next_move
from openspade.verifier.players.probe import INSTANCES, Play, Probe

log = logging.getLogger(__name__)

CONCURRENT = 4
LOOK_S = 0.25
WALL_FACTOR = 5.0
UNJUDGED = "unjudged"
"""Refuses a draft at which a gate itself failed."""

READINGS = (
    Reading(id="size", judge=text.size),
    Reading(id="imports", judge=static.imports),
    Reading(id="contract", judge=static.contract),
)
TRIALS = (
    Trial(id="starts", judge=starting.starts),
    Trial(id="robust", judge=starting.robust),
    Trial(id="observation_size", judge=starting.observation_size),
    Trial(id="seed_control", judge=repeating.seed_control),
    Trial(id="episode_determinism", judge=repeating.episode_determinism),
    Trial(id="isolation", judge=repeating.isolation),
    Trial(id="oracle_max", judge=solvable.oracle_max),
    Trial(id="variety", judge=repeating.variety),
    Trial(id="reward_range", judge=starting.reward_range),
    Trial(id="stepwise", judge=steps.stepwise),
    Trial(id="minimal", judge=steps.minimal),
    Trial(id="arguments", judge=arguments),
    Trial(id="no_solution_leakage", judge=leaks.no_solution_leakage),
    Trial(id="luck", judge=luck),
    Trial(id="floor_gap", judge=cheap.floor_gap),
    Trial(id="equivalent_answers", judge=cheap.equivalent_answers),
    Trial(id="hint_leak", judge=leaks.hint_leak),
    Trial(id="hint_general", judge=leaks.hint_general),
    Trial(id="decision_depth", judge=depth.decision_depth),
)


class Verifier:
    """Judges drafts in the sandbox; programs of one batch that are too much alike are judged one after another."""

    def __init__(self, pool: Sandbox, window: DesignIndex, config: GatesConfig) -> None:
        self._pool = pool
        self._window = window
        self._config = config

    async def verify(self, drafts: Sequence[Draft], beside: Sequence[Design] = ()) -> list[Verdict]:
        """One verdict a draft, in order. `beside`: designs of this cycle that the memory does not know yet."""
        looks = [self._looks(draft) for draft in drafts]
        known = [looks_of(design, self._config.max_similarity) for design in beside]
        verdicts: dict[int, Verdict] = {}
        limit = asyncio.Semaphore(CONCURRENT)

        async def judge_family(indices: list[int]) -> None:
            elders = list(known)
            for index in indices:
                mine = looks[index]
                async with limit:
                    verdicts[index] = await self._judge_whatever_comes(drafts[index], mine, elders)
                elders += [mine] if mine and verdicts[index].accepted else []

        async with asyncio.TaskGroup() as tasks:
            for indices in families(looks, self._config.max_similarity):
                tasks.create_task(judge_family(indices))
        return [verdicts[index] for index in range(len(drafts))]

    def _looks(self, draft: Draft) -> Looks | None:
        try:
            return looks_of(draft.design, self._config.max_similarity) if draft.design else None
        except Exception:  # what it is shall be found out, and told, when it is judged
            log.exception("draft %s cannot be compared", draft.id)
            return None

    async def _judge_whatever_comes(self, draft: Draft, looks: Looks | None, elders: Sequence[Looks]) -> Verdict:
        """A fault of ours that one draft brings to light refuses that draft; the others keep their verdicts."""
        climb = Climb(draft)
        try:
            return await self._judge_somewhere(draft, looks, elders, climb)
        except OpenSpadeError:
            raise
        except Exception as error:  # fails closed, and loudly
            log.exception(
                "draft %s could not be judged (%s): please report this with its program", draft.id, climb.current
            )
            return climb.unjudged(error)

    async def _judge_somewhere(
        self, draft: Draft, looks: Looks | None, elders: Sequence[Looks], climb: Climb
    ) -> Verdict:
        """A machine that is lost says nothing about the draft: once more on another. Raises SandboxError."""
        try:
            return await self._judge(draft, looks, elders, climb)
        except SandboxLost:
            log.warning("draft %s is judged again: its sandbox was lost", draft.id)
        climb.begin()
        try:
            return await self._judge(draft, looks, elders, climb)
        except SandboxLost as lost:
            raise SandboxError(f"two sandboxes were lost while draft {draft.id} was judged: {lost}") from lost

    async def _judge(self, draft: Draft, looks: Looks | None, elders: Sequence[Looks], climb: Climb) -> Verdict:
        problem = text.parses(draft)
        climb.record("parses", problem)
        if problem:
            return climb.verdict(problem)
        if looks is None:
            raise ValueError("the draft holds a program that cannot be compared")
        case = Case(draft=draft, design=looks.design, config=self._config)
        for gate in (*READINGS, self._novelty(looks, elders)):
            climb.current, started_s = gate.id, time.thread_time()
            judgement = gate.judge(case)
            climb.record(gate.id, judgement, host_s=time.thread_time() - started_s)
            if isinstance(judgement, Problem):
                return climb.verdict(judgement)
        return climb.verdict(await self._try(case, climb))

    def _novelty(self, looks: Looks, elders: Sequence[Looks]) -> Reading:
        limit = self._config.max_similarity
        return Reading(id="novel", judge=lambda _case: novel(looks, self._window, elders, limit))

    async def _try(self, case: Case, climb: Climb) -> Problem | None:
        try:
            return await self._within_limit(self._climb(case, climb), climb)
        except ProgramError as failure:
            problem = faulty("starts", failure.fault, where="loading the program")
        except DeadlineExceeded as failure:
            message = "It takes too long: start(), act() and solution() must each answer well within a second."
            problem = Problem(gate="resource_bounds", message=message, evidence=f"{climb.current}: {failure}")
        except SandboxLost:
            raise
        except SandboxFailure as failure:
            message = "It ended its process: it uses too much memory, exits, or does what the sandbox forbids."
            problem = Problem(gate="resource_bounds", message=message, evidence=f"{climb.current}: {failure}")
        except TimeoutError:
            allowed_s = self._config.design_timeout_s
            message = f"All gates took more than {allowed_s:g} s of CPU: make start(), act() and solution() faster."
            problem = Problem(gate="resource_bounds", message=message, evidence=climb.current)
        climb.record(climb.current, problem)
        return problem

    async def _within_limit(self, climbing: Coroutine[None, None, Problem | None], climb: Climb) -> Problem | None:
        """What the climb comes to; TimeoutError when its program has used up its CPU, or far too long has passed.

        Time by the clock alone would refuse good programs on a busy machine.
        """
        started_s, limit_s = time.monotonic(), self._config.design_timeout_s
        task = asyncio.ensure_future(climbing)
        try:
            while not (await asyncio.wait({task}, timeout=LOOK_S))[0]:
                passed_s = time.monotonic() - started_s
                if (climb.child_s() or passed_s) > limit_s or passed_s > limit_s * WALL_FACTOR:
                    raise TimeoutError
            return task.result()
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait({task})

    async def _climb(self, case: Case, climb: Climb) -> Problem | None:
        climb.current = "starts"
        async with await self._pool.open(case.design.source, instances=INSTANCES) as environment:
            probe = Probe(self._pool, environment, draft=case.draft, design=case.design, config=self._config)
            climb.child_s = lambda: probe.child_s
            for gate in TRIALS:
                climb.current = gate.id
                meter = Meter(gate.judge(probe))
                judgement = await meter
                climb.record(gate.id, judgement, host_s=meter.host_s)
                if isinstance(judgement, Problem):
                    return judgement
                if broken := probe.new_fault():
                    return self._broken_off(broken, climb)
        return None

    @staticmethod
    def _broken_off(play: Play, climb: Climb) -> Problem:
        """Whatever a player says, also one of another gate, is answered."""
        assert play.fault is not None
        where = f"seed {play.seed}, turn {len(play.moves) + 1}, {next_move(play)}"
        problem = faulty("robust", play.fault, where=where)
        climb.record(problem.gate, problem)
        return problem


class Climb:
    """What one draft's ladder has shown so far."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self.begin()

    def begin(self) -> None:
        """Nothing is known yet."""
        self._results: list[GateResult] = []
        self._spent_s = 0.0
        self.current = "parses"
        self.child_s: Callable[[], float] = float
        """CPU seconds of the program so far; 0 where it has not begun, or the kernel does not say."""

    def record(self, gate: str, judgement: Judgement, *, host_s: float = 0.0) -> None:
        """One rung; what the child has used since the last one is part of its cost."""
        passed = not isinstance(judgement, Problem)
        note = judgement if isinstance(judgement, str) else ""
        now_s = self.child_s()
        spent_s, self._spent_s = now_s - self._spent_s, now_s
        cpu_ms, child_ms = 1000 * (host_s + spent_s), 1000 * spent_s
        self._results.append(GateResult(gate=gate, passed=passed, note=note, cpu_ms=cpu_ms, child_ms=child_ms))

    def unjudged(self, error: Exception) -> Verdict:
        """A refusal because a gate failed; what it failed of stands in its note."""
        said = short(f"{type(error).__name__}: {error}").encode("utf-8", "replace").decode()
        self._results.append(GateResult(gate=self.current, passed=False, ran=False, note=f"not judged: {said}"))
        message = "It could not be judged: it does something that no environment should need. Write it more plainly."
        return self.verdict(Problem(gate=UNJUDGED, message=message, evidence=f"{self.current}: {said}"))

    def verdict(self, problem: Problem | None) -> Verdict:
        """The end of the climb."""
        return Verdict(draft=self._draft, problems=(problem,) if problem else (), gates=tuple(self._results))


class Meter(Generator[object, object, Judgement]):
    """Awaits a judgement and counts the CPU seconds our side spends on it, whatever else runs in between."""

    def __init__(self, judging: Awaitable[Judgement]) -> None:
        self._steps = judging.__await__()
        self.host_s = 0.0

    def __await__(self) -> Meter:
        return self

    def send(self, value: object, /) -> object:
        return self._timed(partial(self._steps.send, value))

    def throw(self, *error: Any) -> object:
        return self._timed(partial(self._steps.throw, *error))

    def _timed(self, step: Callable[[], object]) -> object:
        started_s = time.thread_time()
        try:
            return step()
        finally:
            self.host_s += time.thread_time() - started_s
