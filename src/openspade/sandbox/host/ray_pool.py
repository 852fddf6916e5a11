"""The pool on every node of a Ray cluster: programs go where least is played, a lost node loses only its episodes."""

from __future__ import annotations

import asyncio
import importlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast, overload

from openspade.errors import OpenSpadeError, SandboxError
from openspade.sandbox.failures import ProgramFault, SandboxFailure, SandboxLost
from openspade.sandbox.host.messages import EnvironmentDescription
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.settings.worlds import SandboxConfig
from openspade.tokens import JSON
from openspade.types import Action, Observation, StepResult

log = logging.getLogger(__name__)

# Not an import statement: type checks must read the same with and without the extra.
ray: Any = importlib.import_module("ray")
RayActorError: type[Exception] = importlib.import_module("ray.exceptions").RayActorError
scheduling: Any = importlib.import_module("ray.util.scheduling_strategies")

START_TIMEOUT_S = 120.0
Answer = TypeVar("Answer")


@dataclass(frozen=True, kw_only=True, slots=True)
class Sent:
    """What a node answers: a value, or what went wrong, which Ray would otherwise wrap in an error of its own."""

    value: Any = None
    wrong: SandboxFailure | OpenSpadeError | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Beside:
    """What an environment tells beside its answers: its prints, each instance's info, CPU seconds so far."""

    prints: str = ""
    info: Mapping[int, Mapping[str, JSON]] = field(default_factory=dict)
    cpu_s: float = 0.0


class NodePool:
    """Runs inside a Ray actor: the ordinary pool of this node, and the environments that are open in it."""

    def __init__(self, config: SandboxConfig, numpy: bool) -> None:
        self._pool = SandboxPool(config, numpy=numpy)
        self._open: dict[int, Any] = {}
        self._count = 0

    async def start(self) -> Sent:
        """The node's walls, its grade, and how many workers it has."""
        try:
            await self._pool.start()
        except OpenSpadeError as error:
            return Sent(wrong=error)
        return Sent(value=(dict(self._pool.walls), self._pool.grade, len(self._pool.zygote_pids)))

    async def open(self, source: str, instances: int, hash_seed: int, fresh: bool, shared: bool) -> Sent:
        """The environment's number here, and what it is."""
        try:
            environment = await self._pool.open(source, instances, hash_seed=hash_seed, fresh=fresh, shared=shared)
        except (SandboxFailure, OpenSpadeError) as error:
            return Sent(wrong=error)
        self._count += 1
        self._open[self._count] = environment
        return Sent(value=(self._count, environment.description))

    async def ask(self, number: int, method: str, argument: Any, watched: Sequence[int]) -> Sent:
        """One call on an environment, and what it tells beside."""
        environment = self._open[number]
        try:
            answer = await getattr(environment, method)(argument)
        except (SandboxFailure, OpenSpadeError) as error:
            return Sent(wrong=error)
        info = {instance: environment.info(instance) for instance in watched}
        return Sent(value=(answer, Beside(prints=environment.prints, info=info, cpu_s=environment.cpu_s)))

    async def transcript(self, source: str, seed: int, actions: Sequence[Action], hash_seed: int) -> Sent:
        try:
            return Sent(value=await self._pool.transcript(source, seed, actions, hash_seed=hash_seed))
        except (SandboxFailure, OpenSpadeError) as error:
            return Sent(wrong=error)

    async def close(self, number: int) -> None:
        environment = self._open.pop(number, None)
        if environment is not None:
            await environment.close()

    async def stop(self) -> None:
        await self._pool.close()


@dataclass(slots=True)
class Node:
    """One node as the controller sees it. `load` counts the instances open there, `room` its workers."""

    id: str
    actor: Any
    walls: Mapping[str, str]
    grade: str
    room: int
    load: int = 0


class RayPool:
    """Keeps the promises of `SandboxPool` over all nodes of a cluster."""

    def __init__(self, config: SandboxConfig, *, numpy: bool = False) -> None:
        self._config = config
        self._numpy = numpy
        self.nodes: dict[str, Node] = {}
        self._mending = asyncio.Lock()
        self._began_ray = False

    async def __aenter__(self) -> RayPool:
        if not ray.is_initialized():
            # Joins the cluster of RAY_ADDRESS or of `ray start`; without either it begins one on this machine.
            ray.init(log_to_driver=False, logging_level="warning", include_dashboard=False)
            self._began_ray = True
        await self._mend()
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*(node.actor.stop.remote() for node in self.nodes.values()), return_exceptions=True)
        for node in self.nodes.values():
            ray.kill(node.actor)
        self.nodes.clear()
        if self._began_ray:
            ray.shutdown()

    @property
    def walls(self) -> dict[str, str]:
        """A wall counts as on where every node has it."""
        nodes = [*self.nodes.values()]
        return {
            name: next((n.walls.get(name, "unknown") for n in nodes if n.walls.get(name) != "on"), "on")
            for name in nodes[0].walls
        }

    @property
    def grade(self) -> str:
        """The weakest node's."""
        return max(node.grade for node in self.nodes.values())

    async def open(
        self, source: str, instances: int = 1, *, hash_seed: int = 0, fresh: bool = False, shared: bool = False
    ) -> RayEnvironment:
        """A program on the node with the least to do. Raises ProgramError, and SandboxLost with a second node."""
        try:
            return await self._open(source, instances, hash_seed, fresh, shared)
        except SandboxLost:
            return await self._open(source, instances, hash_seed, fresh, shared)

    async def _open(self, source: str, instances: int, hash_seed: int, fresh: bool, shared: bool) -> RayEnvironment:
        node = await self._least_loaded()
        node.load += instances
        try:
            opened = await self.answer_of(node, node.actor.open.remote(source, instances, hash_seed, fresh, shared))
        except BaseException:
            node.load -= instances
            raise
        number, description = opened
        return RayEnvironment(self, node, number, description=description, instances=instances)

    async def transcript(
        self, source: str, seed: int, actions: Sequence[Action], *, hash_seed: int = 0
    ) -> tuple[Observation | StepResult | ProgramFault, ...]:
        """As `SandboxPool.transcript`."""
        node = await self._least_loaded()
        return await self.answer_of(node, node.actor.transcript.remote(source, seed, actions, hash_seed))

    async def answer_of(self, node: Node, reference: Any) -> Any:
        """What a node answers; what went wrong there is raised here."""
        try:
            sent = cast("Sent", await reference)
        except RayActorError as error:
            if self.nodes.get(node.id) is node:
                del self.nodes[node.id]
                log.warning("the sandbox on node %s is lost: its episodes are void", node.id[:8])
            raise SandboxLost(f"the sandbox on node {node.id[:8]} is lost: {type(error).__name__}") from error
        if sent.wrong is not None:
            raise sent.wrong
        return sent.value

    async def _least_loaded(self) -> Node:
        async with self._mending:
            await self._mend()
        return min(self.nodes.values(), key=lambda node: node.load / node.room)

    async def _mend(self) -> None:
        """A pool on every node that has none: at the start, for one that was lost, for one that joined."""
        alive = {node["NodeID"] for node in await asyncio.to_thread(ray.nodes) if node["Alive"]}
        missing = alive - self.nodes.keys()
        started = await asyncio.gather(*(self._start(node_id) for node_id in missing))
        self.nodes |= {node.id: node for node in started if node is not None}
        if not self.nodes:
            raise SandboxError(f"no node of the Ray cluster can run a sandbox ({len(alive)} alive); see the log above")

    async def _start(self, node_id: str) -> Node | None:
        place = scheduling.NodeAffinitySchedulingStrategy(node_id=node_id, soft=False)
        # Its children are what computes; the actor itself only passes messages.
        actor = ray.remote(NodePool).options(scheduling_strategy=place, num_cpus=0).remote(self._config, self._numpy)
        try:
            sent = cast("Sent", await asyncio.wait_for(actor.start.remote(), timeout=START_TIMEOUT_S))
        except (RayActorError, TimeoutError) as error:
            log.warning("no sandbox on node %s: %s", node_id[:8], type(error).__name__)
            return None
        if sent.wrong is not None:
            raise sent.wrong
        walls, grade, room = sent.value
        return Node(id=node_id, actor=actor, walls=walls, grade=grade, room=room)


class RayEnvironment:
    """An environment on a node, played as if it were here."""

    def __init__(
        self, pool: RayPool, node: Node, number: int, *, description: EnvironmentDescription, instances: int
    ) -> None:
        self.description = description
        self.instances = instances
        self._pool = pool
        self._node = node
        self._number = number
        self._beside = Beside()
        self._info: dict[int, Mapping[str, JSON]] = {}
        self._closed = False

    async def __aenter__(self) -> RayEnvironment:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def prints(self) -> str:
        """What the program printed in its last message, cut."""
        return self._beside.prints

    @property
    def cpu_s(self) -> float:
        """CPU seconds of all its children so far."""
        return self._beside.cpu_s

    def info(self, instance: int) -> Mapping[str, JSON]:
        """What the instance last reported beside its observation."""
        return self._info.get(instance, {})

    @overload
    async def reset(self, seeds: Mapping[int, int]) -> dict[int, Observation | ProgramFault]: ...

    @overload
    async def reset(self, seeds: Sequence[int]) -> list[Observation | ProgramFault]: ...

    async def reset(
        self, seeds: Mapping[int, int] | Sequence[int]
    ) -> list[Observation | ProgramFault] | dict[int, Observation | ProgramFault]:
        """As `SandboxedEnvironment.reset`."""
        touched = list(seeds) if isinstance(seeds, Mapping) else list(range(len(seeds)))
        return await self._ask("reset", seeds, touched)

    async def step(self, actions: Mapping[int, Action]) -> dict[int, StepResult | ProgramFault]:
        """As `SandboxedEnvironment.step`."""
        return await self._ask("step", actions, list(actions))

    async def plan(self, instances: Sequence[int] | None = None) -> dict[int, list[Action] | ProgramFault]:
        """As `SandboxedEnvironment.plan`."""
        return await self._ask("plan", instances, list(range(self.instances)))

    async def close(self) -> None:
        """Ends it on its node; harmless when repeated or when the node is gone."""
        if self._closed:
            return
        self._closed = True
        self._node.load -= self.instances
        self._node.actor.close.remote(self._number)

    async def _ask(self, method: str, argument: Any, touched: Sequence[int]) -> Any:
        call = self._node.actor.ask.remote(self._number, method, argument, touched)
        answer, self._beside = await self._pool.answer_of(self._node, call)
        self._info.update(self._beside.info)
        return answer
