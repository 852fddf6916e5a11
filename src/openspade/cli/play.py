"""`play`: a person in the Agent's chair, the environment behind the sandbox's wall as ever."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

import typer
from rich.panel import Panel
from rich.text import Text

from openspade.cli.live_panel import PANEL_WIDTH
from openspade.cli.terminal import one_line, plain, screen, show
from openspade.rollout.typed import read_action, signature
from openspade.sandbox.failures import ProgramFault, SandboxFailure
from openspade.settings.worlds import SandboxConfig
from openspade.sources import find_source
from openspade.types import Action, Observation, StepResult

if TYPE_CHECKING:
    from openspade.sandbox.host.sandboxed_environment import EnvironmentDescription, SandboxedEnvironment

REJECTED = 1
COMMANDS = {
    "/hint": "show the hint",
    "/tools": "list the tools again",
    "/solution": "show the oracle's moves",
    "/help": "list these commands",
    "/quit": "leave",
}


class Left(Exception):
    """The person does not want to go on."""


def register(app: typer.Typer) -> None:
    app.command()(play)


def play(
    environment: Annotated[
        str, typer.Argument(metavar="FILE|DESIGN", help="A file, pool:starter/NAME, or a design's id from a run.")
    ],
    seed: Annotated[int | None, typer.Option(help="Which instance; another one each time when left out.")] = None,
    hint: Annotated[bool, typer.Option("--hint", help="Show the privileged hint first.")] = False,
    run: Annotated[Path | None, typer.Option(metavar="RUN", help="The run that holds the design.")] = None,
    numpy: Annotated[bool, typer.Option("--numpy", help="Let the environment import numpy.")] = False,
) -> None:
    """Play an environment yourself, in the terminal. Exit code 0 when you solve it, 1 when not.

    In a tool task, type calls as `find_customer(name="Ann")`; anything else is said as words.

    Example: `openspade play pool:starter/code_lock --hint`
    """
    source = find_source(environment, run)
    chosen = random.SystemRandom().randrange(1_000_000) if seed is None else seed
    solved = asyncio.run(_sit_down(source, chosen, hint=hint, numpy=numpy))
    raise typer.Exit(0 if solved else REJECTED)


async def _sit_down(source: str, seed: int, *, hint: bool, numpy: bool) -> bool:
    from openspade.sandbox.host.sandbox_pool import SandboxPool

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
        _show_hint(description)
    _show_observation(first)
    for turn in range(1, description.max_turns + 1):
        action = await _ask(environment, turn)
        result = (await environment.step({0: action}))[0]
        if isinstance(result, ProgramFault):
            show(f"The environment failed: {result.message}", style="red")
            return False
        _show_observation(result.observation)
        if result.terminated or result.truncated:
            return _conclude(result, turn, seed)
    show(f"Out of turns: {description.max_turns} is the limit. {_again(seed)}", style="bold red")
    return False


async def _ask(environment: SandboxedEnvironment, turn: int) -> Action:
    description = environment.description
    names = [name for tool in description.tools if (name := signature(tool).partition("(")[0])]
    while True:
        show()
        line = _read_line(f"turn {turn} of {description.max_turns} > ", [*names, *COMMANDS]).strip()
        if line in COMMANDS:
            await _obey(line, environment)
        elif line:
            return read_action(line, description.kind)


async def _obey(command: str, environment: SandboxedEnvironment) -> None:
    if command == "/quit":
        raise Left
    if command == "/hint":
        _show_hint(environment.description)
    elif command == "/tools":
        _show_tools(environment.description)
    elif command == "/solution":
        await _show_solution(environment)
    else:
        for name, what in COMMANDS.items():
            show(f"  {name:<10} {what}", style="dim")


def _read_line(prompt: str, words: Sequence[str]) -> str:
    if screen.is_terminal:
        _complete(words)
    # asyncio's own handler only cancels the task, which input() would never notice.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return input(prompt)
    finally:
        signal.signal(signal.SIGINT, before)


def _complete(words: Sequence[str]) -> None:
    """Give the line a history, the arrow keys, and Tab for the names of tools and commands."""
    import readline

    def complete(begun: str, place: int) -> str | None:
        fitting = [word for word in words if word.startswith(begun)]
        return fitting[place] if place < len(fitting) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ();")
    readline.parse_and_bind("tab: complete")


async def _show_solution(environment: SandboxedEnvironment) -> None:
    plan = (await environment.plan())[0]
    if isinstance(plan, ProgramFault):
        show(f"It has no solution: {plan.message}", style="red")
        return
    for action in plan:
        calls = [f"{call.name}({', '.join(f'{k}={v!r}' for k, v in call.arguments.items())})" for call in action.calls]
        _quote("; ".join(calls) or action.text, "◇", "yellow")


def _introduce(description: EnvironmentDescription, seed: int) -> None:
    what = "a tool task" if description.kind == "tool" else "a game"
    how = (
        'Call tools with name="value" for each argument, several with ";" between. Anything else is said as words.'
        if description.kind == "tool"
        else "Type your move and press Enter."
    )
    words = [
        Text(f"{what} · {plain(description.skill, lines=False)} · {_turns(description.max_turns)} · instance {seed}"),
        Text(how),
        Text("  ".join(COMMANDS), style="dim"),
    ]
    title = Text(one_line(description.title, PANEL_WIDTH - 6), style="bold")
    width = min(PANEL_WIDTH, screen.width)
    screen.print(Panel(Text("\n").join(words), title=title, title_align="left", width=width))
    _show_tools(description)


def _turns(count: int) -> str:
    return "one turn" if count == 1 else f"at most {count} turns"


def _show_tools(description: EnvironmentDescription) -> None:
    for tool in description.tools:
        called, _, what = signature(tool).partition("  ")
        _quote(f"{called}  {what}", "·", "cyan")


def _show_hint(description: EnvironmentDescription) -> None:
    _quote(f"Hint: {description.hint}", "☼", "yellow")


def _show_observation(observation: Observation) -> None:
    for result in observation.results:
        _quote(f"= {result}", "│", "cyan")
    if observation.text:
        _quote(observation.text, "│", "")


def _quote(text: str, mark: str, style: str) -> None:
    """Foreign text behind a mark on every line, so that it cannot pass for ours."""
    for line in plain(text).expandtabs(4).splitlines() or [""]:
        for part in wrap(line, max(20, screen.width - 3)) or [""]:
            screen.print(Text.assemble((f"{mark} ", "dim"), (part, style)), soft_wrap=True)


def _conclude(result: StepResult, turns: int, seed: int) -> bool:
    show()
    if result.terminated and result.reward >= 1.0:
        show(f"Solved in {turns} turn{'s' if turns > 1 else ''}.", style="bold green")
        return True
    show(f"Not solved; reward {result.reward:g}. {_again(seed)}", style="bold red")
    return False


def _again(seed: int) -> str:
    return f"The same instance again: --seed {seed}"
