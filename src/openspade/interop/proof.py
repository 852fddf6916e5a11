"""Before anything leaves, its own solution must win: every chosen design on every chosen seed, in the sandbox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openspade.interop.confined import imports_numpy
from openspade.interop.selection import Selected
from openspade.sandbox.base import Environment
from openspade.sandbox.failures import ProgramFault, SandboxFailure
from openspade.sandbox.host.messages import wire_actions
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.settings.worlds import SandboxConfig
from openspade.tokens import JSON
from openspade.types import Action


@dataclass(frozen=True, kw_only=True, slots=True)
class Instance:
    """One seed of a design: how it begins, and the actions that win it, as a program's `step` takes them."""

    seed: int
    first_observation: str
    solution: tuple[object, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Proven:
    """A candidate whose solution won every instance; `tools` are OpenAI's functions."""

    candidate: Selected
    tools: tuple[Mapping[str, JSON], ...]
    instances: tuple[Instance, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Unproven:
    """A candidate that may not leave, and why."""

    candidate: Selected
    reason: str


async def prove(candidates: Sequence[Selected], seeds: Sequence[int]) -> list[Proven | Unproven]:
    """Each candidate, proven or with the reason why not, in order."""
    proven: list[Proven | Unproven] = []
    numpy = any(imports_numpy(one.exported.design.source) for one in candidates)
    async with SandboxPool(SandboxConfig(workers=1), numpy=numpy) as pool:
        for candidate in candidates:
            try:
                async with await pool.open(candidate.exported.design.source, len(seeds)) as environment:
                    proven.append(await _proven(candidate, environment, seeds))
            except SandboxFailure as failure:
                proven.append(Unproven(candidate=candidate, reason=str(failure)))
    return proven


async def _proven(candidate: Selected, environment: Environment, seeds: Sequence[int]) -> Proven | Unproven:
    firsts = await environment.reset(list(seeds))
    plans = await environment.plan()
    instances: list[Instance] = []
    for index, seed in enumerate(seeds):
        first, plan = firsts[index], plans[index]
        if isinstance(first, ProgramFault):
            return Unproven(candidate=candidate, reason=f"seed {seed} does not start: {first.message}")
        if isinstance(plan, ProgramFault):
            return Unproven(candidate=candidate, reason=f"no solution for seed {seed}: {plan.message}")
        if not await _wins(environment, index, plan[: candidate.exported.design.max_turns]):
            return Unproven(candidate=candidate, reason=f"its solution does not win seed {seed}")
        actions = tuple(wire_actions(environment.description.kind, plan))
        instances.append(Instance(seed=seed, first_observation=first.text, solution=actions))
    return Proven(candidate=candidate, tools=environment.description.tools, instances=tuple(instances))


async def _wins(environment: Environment, index: int, plan: Sequence[Action]) -> bool:
    for action in plan:
        result = (await environment.step({index: action}))[index]
        if isinstance(result, ProgramFault) or result.truncated:
            return False
        if result.terminated:
            return result.reward >= 1
    return False
