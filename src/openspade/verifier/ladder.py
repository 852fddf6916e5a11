"""The ladder: every gate in order, cheapest first; the first that fails stops, and nothing passes by accident."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator, Sequence
from functools import partial
from typing import Any, Protocol

from openspade.memory.similarity import fingerprint
from openspade.sandbox.environment import DeadlineExceeded, ProgramError, SandboxFailure
from openspade.sandbox.pool import SandboxPool
from openspade.settings.worlds import GatesConfig
from openspade.types import Design, Draft, GateResult, Problem, Verdict
from openspade.verifier import cheap, depth, leaks, repeating, solvable, starting, static, steps, text
from openspade.verifier.gate import Case, Judgement, Reading, Trial, faulty
from openspade.verifier.probe import INSTANCES, Probe

CONCURRENT = 4
DESIGN_WALL_S = 20.0

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
    Trial(id="no_solution_leakage", judge=leaks.no_solution_leakage),
    Trial(id="floor_gap", judge=cheap.floor_gap),
    Trial(id="equivalent_answers", judge=cheap.equivalent_answers),
    Trial(id="hint_leak", judge=leaks.hint_leak),
    Trial(id="hint_general", judge=leaks.hint_general),
    Trial(id="decision_depth", judge=depth.decision_depth),
)


class Window(Protocol):
    """What the verifier asks of the memory."""

    def seen(self, fingerprint: str) -> str | None:
        """The id of an equal program that was accepted lately."""
        ...


class Nothing:
    """A memory without designs, for checking files."""

    def seen(self, fingerprint: str) -> str | None:
        return None


class Verifier:
    """Judges drafts in the sandbox; equal programs of one batch wait for each other, so that only one is accepted."""

    def __init__(self, pool: SandboxPool, window: Window, config: GatesConfig) -> None:
        self._pool = pool
        self._window = window
        self._config = config

    async def verify(self, drafts: Sequence[Draft]) -> list[Verdict]:
        """One verdict a draft, in the order of the drafts."""
        verdicts: dict[int, Verdict] = {}
        groups: dict[str, list[int]] = {}
        for index, draft in enumerate(drafts):
            key = fingerprint(draft.design.source) if draft.design else f"draft {index}"
            groups.setdefault(key, []).append(index)
        limit = asyncio.Semaphore(CONCURRENT)

        async def judge_equals(key: str, indices: list[int]) -> None:
            twin: Design | None = None
            for index in indices:
                async with limit:
                    verdicts[index] = await self._judge(drafts[index], key, twin)
                twin = drafts[index].design if verdicts[index].accepted else twin

        async with asyncio.TaskGroup() as tasks:
            for key, indices in groups.items():
                tasks.create_task(judge_equals(key, indices))
        return [verdicts[index] for index in range(len(drafts))]

    async def _judge(self, draft: Draft, key: str, twin: Design | None) -> Verdict:
        climb = Climb(draft)
        problem = text.parses(draft)
        climb.record("parses", problem)
        design = draft.design
        if problem or design is None:
            return climb.verdict(problem)
        case = Case(draft=draft, design=design, config=self._config)
        for gate in READINGS:
            started_s = time.thread_time()
            judgement = gate.judge(case)
            climb.record(gate.id, judgement, cpu_s=time.thread_time() - started_s)
            if isinstance(judgement, Problem):
                return climb.verdict(judgement)
        problem = _known(self._window.seen(key) or (twin.id if twin else None))
        climb.record("novel", problem)
        return climb.verdict(problem or await self._try(design, climb))

    async def _try(self, design: Design, climb: Climb) -> Problem | None:
        try:
            async with asyncio.timeout(DESIGN_WALL_S):
                return await self._climb(design, climb)
        except ProgramError as failure:
            problem = faulty("starts", failure.fault, where="loading the program")
        except DeadlineExceeded as failure:
            message = "It takes too long: start(), act() and solution() must each answer well within a second."
            problem = Problem(gate="resource_bounds", message=message, evidence=f"{climb.current}: {failure}")
        except SandboxFailure as failure:
            message = "It ended its process: it uses too much memory, exits, or does what the sandbox forbids."
            problem = Problem(gate="resource_bounds", message=message, evidence=f"{climb.current}: {failure}")
        except TimeoutError:
            message = (
                f"All gates together took more than {DESIGN_WALL_S:g} s: make start(), act() and solution() faster."
            )
            problem = Problem(gate="resource_bounds", message=message, evidence=climb.current)
        climb.record(climb.current, problem)
        return problem

    async def _climb(self, design: Design, climb: Climb) -> Problem | None:
        climb.current = "starts"
        async with await self._pool.open(design.source, instances=INSTANCES) as environment:
            probe = Probe(self._pool, environment, design, self._config)
            for gate in TRIALS:
                climb.current = gate.id
                meter = Meter(gate.judge(probe))
                judgement = await meter
                climb.record(gate.id, judgement, cpu_s=meter.host_s)
                if isinstance(judgement, Problem):
                    return judgement
        return None


class Climb:
    """What one draft's ladder has shown so far."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._results: list[GateResult] = []
        self.current = "parses"

    def record(self, gate: str, judgement: Judgement, *, cpu_s: float = 0.0) -> None:
        """One rung."""
        passed = not isinstance(judgement, Problem)
        note = judgement if isinstance(judgement, str) else ""
        self._results.append(GateResult(gate=gate, passed=passed, cpu_ms=1000 * cpu_s, note=note))

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


def _known(design_id: str | None) -> Problem | None:
    if design_id is None:
        return None
    message = "The same program was accepted before, names and texts aside: design another mechanic, or other numbers."
    return Problem(gate="novel", message=message, evidence=f"design {design_id}")
