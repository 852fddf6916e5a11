"""Environments for programs and notebooks: opened behind the sandbox's walls, played with any function, judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from openspade.api.background import Background
from openspade.roles.reply import extract_program
from openspade.roles.source import read_design
from openspade.rollout.typed import read_action
from openspade.sandbox.failures import ProgramFault, SandboxFailure
from openspade.sandbox.host.messages import EnvironmentDescription
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.settings.worlds import GatesConfig, SandboxConfig
from openspade.sources import find_source
from openspade.types import Action, Brief, Design, Draft, Observation, Skill, StepResult, Turn, Verdict

T = TypeVar("T")
Player = Callable[[Observation], str | Action]
"""Whoever plays: from what the environment shows to a reply. Calls may be typed: `find(name="Ann")`."""


class EnvironmentFailed(Exception):
    """An environment's program could not be loaded, raised, or broke its limits; the text says what happened."""


class OpenEnvironment:
    """One environment behind the sandbox's walls, an instance at a time. Use it in a `with` block, or `close()` it.

    >>> with open_environment("pool:starter/code_lock") as lock:  # doctest: +SKIP
    ...     print(lock.reset(seed=1).text)
    ...     result = lock.step("1 2 3")
    """

    def __init__(self, source: str, *, numpy: bool = False) -> None:
        self.source = source
        self._loop = Background()
        try:
            self._pool = SandboxPool(SandboxConfig(workers=1), numpy=numpy)
            self._loop.call(self._pool.start())
            self._inner = self._loop.call(self._pool.open(source))
        except SandboxFailure as failure:
            self.close()
            raise EnvironmentFailed(f"the program cannot be loaded: {failure}") from None
        except BaseException:
            self.close()
            raise

    @property
    def description(self) -> EnvironmentDescription:
        """Kind ("game" or "tool"), title, skill, hint, turns, and the tools as JSON schemas."""
        return self._inner.description

    def reset(self, seed: int = 0) -> Observation:
        """Begin the instance of a seed; the same seed is the same instance, always."""
        return self._said(self._loop.call(self._inner.reset([seed]))[0])

    def step(self, action: str | Action) -> StepResult:
        """One turn: words, or in a tool task calls, typed as `find(name="Ann")` or as an `Action`."""
        whole = action if isinstance(action, Action) else read_action(action, self.description.kind)
        return self._said(self._loop.call(self._inner.step({0: whole}))[0])

    def solution(self) -> list[Action]:
        """The environment's own solution of the instance as it was reset."""
        return self._said(self._loop.call(self._inner.plan())[0])

    def close(self) -> None:
        """Ends the program's process. Closing twice is no error."""
        if hasattr(self, "_pool"):
            self._loop.call(self._pool.close())
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _said(self, answer: T | ProgramFault) -> T:
        if isinstance(answer, ProgramFault):
            raise EnvironmentFailed(answer.message)
        return answer


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayedEpisode:
    """One episode: `return_` in [0, 1], `solved` when it ended with 1, `over` False when its turns ran out."""

    seed: int
    first: Observation
    turns: tuple[Turn, ...]
    return_: float
    solved: bool
    over: bool


def open_environment(environment: str | Path, *, numpy: bool = False) -> OpenEnvironment:
    """An environment by its source text, its file, `pool:starter/NAME`, or a design's id in a run under `runs/`.

    Raises ConfigError where there is none, EnvironmentFailed where it cannot be loaded, SandboxError without walls.
    """
    return OpenEnvironment(_source(environment), numpy=numpy)


def play(
    environment: str | Path | OpenEnvironment,
    player: Player | Sequence[str | Action],
    *,
    seed: int = 0,
    hint: bool = False,
) -> PlayedEpisode:
    """Play one episode with any function, or with given actions; `hint` shows the hint below the first observation.

    >>> play("pool:starter/code_lock", lambda shown: "1 2 3", seed=7).solved  # doctest: +SKIP
    False
    """
    if isinstance(environment, OpenEnvironment):
        return _play(environment, player, seed, hint=hint)
    with open_environment(environment) as opened:
        return _play(opened, player, seed, hint=hint)


def check(environment: str | Path, *, gates: GatesConfig | None = None) -> Verdict:
    """What the gates say of an environment: `accepted`, and else `problem` with its gate; `gates` row by row.

    It may be a whole reply of a model: the program is found in it. Raises SandboxError without walls.
    """
    source = _source(environment)
    read = read_design(extract_program(source) or source)
    design, problem = (read, None) if isinstance(read, Design) else (None, read)
    skill = Skill(name=design.skill if design else "", kind=design.kind if design else "game", description="")
    brief = Brief(id="api", skill=skill, document=None, seed=0)
    draft = Draft(id="api", brief=brief, text=source, design=design, problem=problem)
    loop = Background()
    try:
        return loop.call(_judged(draft, gates or GatesConfig()))
    finally:
        loop.close()


def _source(environment: str | Path) -> str:
    text = str(environment)
    return text if isinstance(environment, str) and "\n" in text else find_source(text, None)


def _play(
    environment: OpenEnvironment, player: Player | Sequence[str | Action], seed: int, *, hint: bool
) -> PlayedEpisode:
    first = shown = environment.reset(seed)
    if hint:
        shown = Observation(text=f"{first.text}\n\nHint: {environment.description.hint}", results=first.results)
    moves = iter(()) if callable(player) else iter(player)
    turns: list[Turn] = []
    over, reward = False, 0.0
    while not over and len(turns) < environment.description.max_turns:
        said = player(shown) if callable(player) else next(moves, None)
        if said is None:
            break
        action = said if isinstance(said, Action) else read_action(said, environment.description.kind)
        result = environment.step(action)
        shown, reward, over = result.observation, result.reward, result.terminated or result.truncated
        turns.append(Turn(reply=action.text, action=action, observation=shown, reward=reward))
    solved = over and reward >= 1.0
    return PlayedEpisode(seed=seed, first=first, turns=tuple(turns), return_=reward, solved=solved, over=over)


async def _judged(draft: Draft, gates: GatesConfig) -> Verdict:
    from openspade.verifier.gates.novelty import Nothing  # noqa: PLC0415  (opening an environment needs no gates)
    from openspade.verifier.ladder import Verifier  # noqa: PLC0415

    async with SandboxPool(SandboxConfig(workers=1), numpy=gates.numpy) as pool:
        return (await Verifier(pool, Nothing(), gates).verify([draft]))[0]
