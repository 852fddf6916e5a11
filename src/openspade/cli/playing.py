"""`play`: a person in the Agent's chair, the environment behind the sandbox's wall as ever."""

from __future__ import annotations

import asyncio
import random
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openspade.cli.sources import find_source
from openspade.cli.terminal import plain, screen, show
from openspade.cli.typed import read_action, signature
from openspade.sandbox.failures import ProgramFault, SandboxFailure
from openspade.settings.worlds import SandboxConfig
from openspade.types import Action, Observation, StepResult

if TYPE_CHECKING:
    from openspade.sandbox.environment import EnvironmentDescription, SandboxedEnvironment

REJECTED = 1
COMMANDS = "/hint shows the hint, /solution shows the oracle's moves, /quit leaves."


class Left(Exception):
    """The person does not want to go on."""


def register(app: typer.Typer) -> None:
    app.command()(play)


def play(
    environment: Annotated[str, typer.Argument(metavar="FILE|DESIGN", help="A file, or a design's id from a run.")],
    seed: Annotated[int | None, typer.Option(help="Which instance; another one each time when left out.")] = None,
    hint: Annotated[bool, typer.Option("--hint", help="Show the privileged hint first.")] = False,
    run: Annotated[Path | None, typer.Option(metavar="RUN", help="The run that holds the design.")] = None,
    numpy: Annotated[bool, typer.Option("--numpy", help="Let the environment import numpy.")] = False,
) -> None:
    """Play an environment yourself, in the terminal. Exit code 0 when you solve it, 1 when not.

    In a tool task, type calls as `find_customer(name="Ann")`; anything else is said as words.

    Example: `openspade play examples/environments/drain_the_tanks.py --hint`
    """
    source = find_source(environment, run)
    chosen = random.SystemRandom().randrange(1_000_000) if seed is None else seed
    solved = asyncio.run(_sit_down(source, chosen, hint=hint, numpy=numpy))
    raise typer.Exit(0 if solved else REJECTED)


async def _sit_down(source: str, seed: int, *, hint: bool, numpy: bool) -> bool:
    from openspade.sandbox.pool import SandboxPool

    async with SandboxPool(SandboxConfig(workers=1), numpy=numpy) as pool:
        try:
            async with await pool.open(source) as environment:
                return await _play(environment, seed, hint=hint)
        except SandboxFailure as failure:
            show(f"The environment failed: {failure}", style="red")
        except (Left, EOFError):
            show("Left before the end.")
    return False


async def _play(environment: SandboxedEnvironment, seed: int, *, hint: bool) -> bool:
    description = environment.description
    first = (await environment.reset([seed]))[0]
    if isinstance(first, ProgramFault):
        show(f"The environment could not start: {first.message}", style="red")
        return False
    _introduce(description, seed)
    if hint:
        show(f"Hint: {description.hint}", style="yellow")
    _show_observation(first)
    for turn in range(1, description.max_turns + 1):
        action = await _ask(environment, turn)
        result = (await environment.step({0: action}))[0]
        if isinstance(result, ProgramFault):
            show(f"The environment failed: {result.message}", style="red")
            return False
        _show_observation(result.observation)
        if result.terminated or result.truncated:
            return _conclude(result, turn)
    show(f"Out of turns: {description.max_turns} is the limit.", style="red")
    return False


async def _ask(environment: SandboxedEnvironment, turn: int) -> Action:
    while True:
        line = _read_line(f"[{turn}/{environment.description.max_turns}] > ").strip()
        if line in ("/quit", "/q"):
            raise Left
        if line == "/hint":
            show(f"Hint: {environment.description.hint}", style="yellow")
        elif line in ("/help", "/?"):
            show(COMMANDS)
        elif line == "/solution":
            await _show_solution(environment)
        elif line:
            return read_action(line, environment.description.kind)


def _read_line(prompt: str) -> str:
    if screen.is_terminal:
        # Importing it gives input() a history and the arrow keys.
        import readline  # noqa: F401
    # asyncio's own handler only cancels the task, which input() would never notice.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return input(prompt)
    finally:
        signal.signal(signal.SIGINT, before)


async def _show_solution(environment: SandboxedEnvironment) -> None:
    plan = (await environment.plan())[0]
    if isinstance(plan, ProgramFault):
        show(f"It has no solution: {plan.message}", style="red")
        return
    for action in plan:
        calls = [f"{call.name}({', '.join(f'{k}={v!r}' for k, v in call.arguments.items())})" for call in action.calls]
        show("  " + (" ".join(calls) or action.text), style="yellow")


def _introduce(description: EnvironmentDescription, seed: int) -> None:
    show(description.title, style="bold")
    show(
        f"{description.kind}, {description.skill}, at most {description.max_turns} turns, instance {seed}", style="dim"
    )
    show(COMMANDS, style="dim")
    for tool in description.tools:
        show(f"  {signature(tool)}", style="cyan")
    show()


def _show_observation(observation: Observation) -> None:
    for result in observation.results:
        show(f"  = {plain(result)}", style="cyan")
    if observation.text:
        show(observation.text)


def _conclude(result: StepResult, turns: int) -> bool:
    solved = result.terminated and result.reward >= 1.0
    verdict = f"Solved in {turns} turns." if solved else f"Not solved; reward {result.reward:g}."
    show(verdict, style="bold green" if solved else "bold red")
    return solved
