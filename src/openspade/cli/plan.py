"""`plan`: what a recipe will ask for before anything is started."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from openspade.cli.terminal import show, show_json
from openspade.errors import ConfigError

if TYPE_CHECKING:
    from openspade.config import Config
    from openspade.plan.estimate import Habits, MemoryNeed, Speed, Work
    from openspade.plan.shape import Shape

Part = TypeVar("Part", "Habits", "Speed")


def register(app: typer.Typer) -> None:
    app.command()(plan)


def plan(
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help="A name from `openspade recipes`, or a TOML file.")],
    overrides: Annotated[
        list[str] | None, typer.Argument(metavar="SECTION.KEY=VALUE", help="Settings that replace the recipe's.")
    ] = None,
    assume: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=NUMBER",
            help="accepted_share, brief_tokens, draft_tokens, turns, turn_tokens, observation_tokens; "
            "sampled_per_s, trained_per_s, dollars_per_hour. May be given several times.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Tokens, requests, memory and hours of a recipe, by arithmetic: nothing is loaded or started.

    How much a policy writes is a guess until you state it; throughputs come from your own first cycles
    (`tokens/...` and `seconds/...` of `openspade train --json`) or from `benchmarks/engine.py`.

    Example: `openspade plan nano --assume turns=2 --assume sampled_per_s=3000 --assume trained_per_s=6000`
    """
    from openspade.plan.estimate import Habits, Speed, memory_of, work_of
    from openspade.plan.shape import shape_of
    from openspade.recipe import load

    config = load(recipe, overrides or [])
    numbers = _numbers(assume or [])
    habits, speed = _replaced(Habits.usual(config), numbers), _replaced(Speed(), numbers)
    if numbers:
        known = ", ".join([*asdict(habits), *asdict(speed)])
        raise ConfigError(f"--assume knows no {', '.join(numbers)}; it knows {known}")
    work, shape = work_of(config, habits), shape_of(config.policy.model)
    memory = memory_of(config, shape) if config.policy.fills_this_machine else None
    hours = speed.hours(work, config.run.cycles)
    if as_json:
        parts = {"habits": habits, "speed": speed, "work_per_cycle": work, "shape": shape, "memory_gib": memory}
        record = {name: asdict(part) if part else None for name, part in parts.items()}
        show_json({"recipe": str(recipe), "cycles": config.run.cycles, **record, "hours": hours})
        return
    _tell(config, habits, work, (shape, memory))
    _tell_hours(hours, speed)


def _numbers(assume: list[str]) -> dict[str, float]:
    numbers: dict[str, float] = {}
    for item in assume:
        name, _, text = item.partition("=")
        try:
            numbers[name.strip()] = float(text)
        except ValueError:
            raise ConfigError(f"--assume {item!r} is not of the form NAME=NUMBER, e.g. turns=4") from None
        if numbers[name.strip()] <= 0:
            raise ConfigError(f"--assume {item!r}: the number must be above 0")
    return numbers


def _replaced(part: Part, numbers: dict[str, float]) -> Part:
    """The part with the numbers that belong to it, which are taken out."""
    mine = {name: numbers.pop(name) for name in [*numbers] if hasattr(part, name)}
    return replace(part, **mine)


def _tell(config: Config, habits: Habits, work: Work, room: tuple[Shape, MemoryNeed | None]) -> None:
    shape, memory = room
    cycles = config.run.cycles
    show(f"{config.policy.model}: {shape.parameters / 1e9:.3g} B parameters; {cycles} cycles\n")
    rows = [
        ("drafts", work.drafts), ("designs played", work.designs), ("unaided episodes", work.unaided_episodes),
        ("hinted episodes", work.hinted_episodes), ("requests", work.requests),
        ("tokens sampled", work.sampled_tokens), ("prompt tokens read", work.read_tokens),
        ("tokens trained", work.trained_tokens),
    ]  # fmt: skip
    show(f"{'':<22}{'a cycle':>14}{'the run':>16}")
    for name, value in rows:
        show(f"{name:<22}{value:>14,.0f}{value * cycles:>16,.0f}")
    show(
        f"\nAssumed: {habits.accepted_share:.0%} of drafts pass, {habits.draft_tokens:,.0f} tokens a draft, "
        f"{habits.turns:.0f} turns of {habits.turn_tokens:,.0f} tokens; state yours with --assume."
    )
    if memory:
        show(
            f"\nMemory of the local engine, GiB: weights {memory.weights:.1f}, optimiser {memory.optimiser:.1f}, then "
            f"cache up to {memory.cache:.1f} or activations {memory.activations:.1f}: peak {memory.peak:.1f}"
        )


def _tell_hours(hours: float | None, speed: Speed) -> None:
    if hours is None:
        show("\nHours: state throughputs with --assume sampled_per_s=... --assume trained_per_s=...")
        return
    price = f", {hours * speed.dollars_per_hour:,.0f} dollars" if speed.dollars_per_hour else ""
    show(f"\nSampling and learning, one after the other: {hours:,.1f} hours{price}")
