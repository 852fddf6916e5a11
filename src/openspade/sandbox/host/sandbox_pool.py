"""The async pool: confined workers, warm children, and `open`, from a program's text to an environment one can play."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import platform
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from openspade.errors import SandboxError
from openspade.sandbox import wire
from openspade.sandbox.failures import ProgramError, ProgramFault
from openspade.sandbox.given_worlds import INSTANCE_BYTES, worlds_of
from openspade.sandbox.host.deadline import Allowance, DeadlineTimer
from openspade.sandbox.host.link import ChildLink
from openspade.sandbox.host.messages import EnvironmentDescription, read_description, read_fault
from openspade.sandbox.host.sandboxed_environment import Bounds, SandboxedEnvironment
from openspade.sandbox.host.worker import CONTRACT, Worker
from openspade.sandbox.isolation.walls import Walls, grade, refuse_windows
from openspade.settings.worlds import SandboxConfig
from openspade.types import Action, Observation, StepResult

log = logging.getLogger(__name__)

_SOURCE_BYTES = 1 << 20
_BIRTH = Allowance(cpu_s=5.0, wall_s=20.0)
_WARM_CHILDREN = 2
_REWARM_S = 0.02
_Home = tuple[int, tuple[str, ...]]
"""The hash seed and the given worlds that a program's worker has."""
_ORDINARY: _Home = (0, ())


class SandboxPool:
    """Workers of this machine; `async with` starts and ends them.

    Refuses to start (SandboxError) where a wall of `config.require` is missing, unless `config.allow_unconfined`.
    """

    def __init__(
        self,
        config: SandboxConfig,
        *,
        numpy: bool = False,
        walls: Walls | None = None,
        contract: Path = CONTRACT,
        warm: int = _WARM_CHILDREN,
    ) -> None:
        asked = walls if walls is not None else Walls(memory_mb=config.memory_mb)
        self._asked = replace(asked, numpy=numpy or asked.numpy)
        self._config = config
        self._contract = contract
        self._warm_target = warm
        self._bounds = Bounds(
            open_s=config.open_timeout_s,
            step_s=config.step_timeout_s,
            wall_factor=config.wall_factor,
            instance_bytes=self._asked.instance_bytes,
        )
        self._deadlines = DeadlineTimer()
        self._workers: dict[_Home, list[Worker]] = {}
        self._warm: dict[Worker, list[ChildLink]] = {}
        self._warming: dict[Worker, asyncio.Task[None]] = {}
        self._starting: dict[_Home, asyncio.Lock] = {}
        self._closed = True
        self.walls: dict[str, str] = {}

    async def __aenter__(self) -> SandboxPool:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def grade(self) -> str:
        """A to F, by what the children say of their walls; `openspade doctor` witnesses it."""
        return grade({name: state == "on" for name, state in self.walls.items()}, platform.system())

    @property
    def zygote_pids(self) -> list[int]:
        return [worker.pid for workers in self._workers.values() for worker in workers]

    @property
    def children(self) -> int:
        """Live children, idle warm ones included."""
        return sum(worker.children for workers in self._workers.values() for worker in workers)

    async def start(self) -> None:
        refuse_windows(platform.system())
        self._closed = False
        count = self._config.workers or _cores()
        try:
            await asyncio.gather(*(self._start_worker(_ORDINARY) for _ in range(count)))
            first = await self._spawn(self._workers[_ORDINARY][0])
        except BaseException:
            await self.close()
            raise
        self._warm[self._workers[_ORDINARY][0]].append(first)
        self.walls = dict(first.walls)
        missing = self._missing(first)
        if missing:
            log.warning("generated code runs without %s, as sandbox.allow_unconfined asks", ", ".join(missing))
        log.info("sandbox grade %s with %s workers: %s", self.grade, count, self.walls)
        for worker in self._workers[_ORDINARY]:
            self._keep_warm(worker)

    async def close(self) -> None:
        """Ends every child and every zygote; requests in flight raise SandboxError."""
        self._closed = True
        for task in self._warming.values():
            task.cancel()
        await asyncio.gather(*self._warming.values(), return_exceptions=True)
        workers = [worker for group in self._workers.values() for worker in group]
        await asyncio.gather(*(worker.close() for worker in workers))
        self._workers.clear()
        self._warm.clear()
        self._deadlines.stop()

    async def open(
        self, source: str, instances: int = 1, *, hash_seed: int = 0, fresh: bool = False, shared: bool = False
    ) -> SandboxedEnvironment:
        """A program in a child of its own, with `fresh` one that never waited warm. Raises ProgramError.

        Each episode has a module of its own; with `shared` all of them have one, as a plain import would give them.
        """
        return await self._open(source, instances, hash_seed=hash_seed, fresh=fresh, shared=shared)

    async def transcript(
        self, source: str, seed: int, actions: Sequence[Action], *, hash_seed: int = 0
    ) -> tuple[Observation | StepResult | ProgramFault, ...]:
        """What one instance shows from reset on, alone in a fresh child; ends where the episode or the program does."""
        async with await self._open(source, 1, hash_seed=hash_seed, fresh=True) as environment:
            (first,) = await environment.reset([seed])
            shown: list[Observation | StepResult | ProgramFault] = [first]
            for action in actions:
                if _is_last(shown[-1]):
                    break
                shown.append((await environment.step({0: action}))[0])
        return tuple(shown)

    def _bounds_of(self, home: _Home) -> Bounds:
        least = INSTANCE_BYTES if home[1] else 0
        return replace(self._bounds, instance_bytes=max(self._bounds.instance_bytes, least))

    # --- children ---------------------------------------------------------------------------------

    async def _open(
        self, source: str, instances: int, *, hash_seed: int, fresh: bool, shared: bool = False
    ) -> SandboxedEnvironment:
        _refuse_unreadable(source)
        if instances < 1:
            raise ValueError(f"{instances} instances; an environment has at least 1")
        home = hash_seed, worlds_of(source)
        # A world's program is ours, and may build tables for seconds.
        request = (wire.OPEN, source, instances, shared or bool(home[1]))
        link, description = await self._loaded(request, home, fresh)

        async def reopen() -> ChildLink:
            return (await self._loaded(request, home, True))[0]

        return SandboxedEnvironment(
            link,
            description=description,
            instances=instances,
            bounds=self._bounds_of(home),
            reopen=reopen,
        )

    async def _loaded(
        self, request: tuple[object, ...], home: _Home, fresh: bool
    ) -> tuple[ChildLink, EnvironmentDescription]:
        link = await self._idle_child(home, fresh)
        try:
            opened = await link.ask(
                request,
                wire.decode_opened,
                allowance=self._bounds.loading(),
                frame_limit=self._bounds_of(home).frame(1),
            )
            if opened.fault is not None:
                raise ProgramError(read_fault(opened.fault))
            description = read_description(opened.description)
            if isinstance(description, ProgramFault):
                raise ProgramError(description)
        except BaseException:
            link.kill(SandboxError("the program was not loaded"))
            raise
        return link, description

    async def _idle_child(self, home: _Home, fresh: bool) -> ChildLink:
        worker = await self._least_loaded(home)
        warm = self._warm.get(worker, [])
        while warm and not fresh:
            link = warm.pop()
            if link.alive:
                # Its successor is forked when this one has had time to load: they would share the cores.
                asyncio.get_running_loop().call_later(_REWARM_S, self._keep_warm, worker)
                return link
        return await self._spawn(worker)

    async def _spawn(self, worker: Worker) -> ChildLink:
        link = await worker.spawn(_BIRTH)
        missing = self._missing(link)
        if missing and not self._config.allow_unconfined:
            reasons = "; ".join(f"{name} is {link.walls.get(name, 'unknown')}" for name in missing)
            refusal = SandboxError(
                f"generated code is not run here: {reasons}. `openspade doctor` shows what this machine gives; "
                "sandbox.allow_unconfined=true runs programs you wrote yourself without walls"
            )
            link.kill(refusal)
            raise refusal
        return link

    def _missing(self, link: ChildLink) -> list[str]:
        return [name for name in self._config.require if link.walls.get(name) != "on"]

    def _keep_warm(self, worker: Worker) -> None:
        if not self._closed and worker not in self._warming:
            task = self._warming[worker] = asyncio.ensure_future(self._warm_up(worker))
            task.add_done_callback(lambda _: self._warming.pop(worker, None))

    async def _warm_up(self, worker: Worker) -> None:
        # A zygote that broke meanwhile is replaced by the next open.
        with contextlib.suppress(SandboxError):
            while worker.alive and len(self._warm.get(worker, ())) < self._warm_target:
                link = await self._spawn(worker)
                self._warm.setdefault(worker, []).append(link)

    # --- workers ----------------------------------------------------------------------------------

    async def _start_worker(self, home: _Home) -> None:
        hash_seed, worlds = home
        worker = Worker(
            replace(self._asked, instance_bytes=self._bounds_of(home).instance_bytes),
            deadlines=self._deadlines,
            contract=self._contract,
            hash_seed=hash_seed,
            worlds=worlds,
        )
        if worlds:
            log.info("the sandbox loads %s, which takes some seconds", ", ".join(worlds))
        # Known before it runs, so that a failing start leaves nothing behind.
        self._workers.setdefault(home, []).append(worker)
        self._warm[worker] = []
        await worker.start()

    async def _least_loaded(self, home: _Home) -> Worker:
        """The worker with the fewest children; one whose zygote broke is replaced first."""
        if self._closed:
            raise SandboxError("the sandbox pool is closed; open environments inside its `async with`")
        # A lock of its own: a world takes seconds to load, and ordinary programs need not wait for it.
        async with self._starting.setdefault(home, asyncio.Lock()):
            for worker in [one for one in self._workers.get(home, ()) if not one.alive]:
                log.warning("a sandbox zygote broke and is replaced")
                await worker.close()
                self._workers[home].remove(worker)
                self._warm.pop(worker, None)
                await self._start_worker(home)
            if not self._workers.get(home):
                await self._start_worker(home)
        return min(self._workers[home], key=lambda worker: worker.children)


def _refuse_unreadable(source: object) -> None:
    if not isinstance(source, str):
        raise ProgramError(ProgramFault(kind="contract", message=f"a program is text, not {type(source).__name__}"))
    if len(source) > _SOURCE_BYTES:
        message = f"a program of {len(source)} characters; {_SOURCE_BYTES} are read"
        raise ProgramError(ProgramFault(kind="too_large", message=message))
    try:
        source.encode()
    except UnicodeEncodeError as error:
        raise ProgramError(ProgramFault(kind="contract", message=f"the program is no valid text: {error}")) from None


def _is_last(shown: Observation | StepResult | ProgramFault) -> bool:
    if isinstance(shown, StepResult):
        return shown.terminated or shown.truncated
    return isinstance(shown, ProgramFault)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
