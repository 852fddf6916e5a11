"""`doctor`: what this machine lacks for generated code; with `--model`, what a model's chat template breaks."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from openspade.cli.terminal import AsJson, show, show_json
from openspade.errors import EngineError, SandboxError
from openspade.tokens import JSON

if TYPE_CHECKING:
    from openspade.engine.chat.chat import TemplateChat
    from openspade.engine.chat.self_test import Examination
    from openspade.sandbox.isolation.doctor import MachineReport
    from openspade.settings.learning import Thinking

OPTIONAL_PACKAGES = ("torch", "transformers", "tokenizers", "safetensors", "peft", "matplotlib")


def register(app: typer.Typer) -> None:
    app.command()(doctor)


def doctor(
    model: Annotated[
        str, typer.Option(metavar="MODEL", help="Examine this model's chat template instead: nano, a folder, a name.")
    ] = "",
    thinking: Annotated[
        Literal["template", "on", "off"], typer.Option(help="With --model: as policy.thinking of the recipe.")
    ] = "template",
    as_json: AsJson = False,
) -> None:
    """Say what isolation this machine gives generated code, what is missing, and how to get it.

    Every wall is tried by a probe that attacks it. Exit code 0 when environments may run here, 3 when not.
    With --model: what that model's chat template breaks and what it costs. Exit code 4 when it cannot be used.

    Example: `openspade doctor --model Qwen/Qwen3-0.6B --thinking off`
    """
    if model:
        raise typer.Exit(examine_model(model, thinking, as_json=as_json))
    from openspade.sandbox.isolation.doctor import examine_machine

    report = asyncio.run(examine_machine())
    if as_json:
        show_json({**asdict(report), "packages": package_versions()})
    else:
        _show_machine(report)
    raise typer.Exit(SandboxError.exit_code if report.exit_code else 0)


def package_versions() -> dict[str, str | None]:
    """What of the optional parts is installed; None for what is not."""
    found: dict[str, str | None] = {}
    for name in OPTIONAL_PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def _show_machine(report: MachineReport) -> None:
    show(f"Isolation: grade {report.grade}, {report.meaning}", style="bold red" if report.exit_code else "bold green")
    for wall in report.walls:
        mark, style = ("✓", "") if wall.holds else ("✗", "yellow")
        show(f"  {mark} {wall.name:<12} stops {wall.stops}", style=style)
        if not wall.holds:
            show(f"      {wall.reason}; {wall.advice}", style=style)
    if report.steps_per_s:
        show(f"  open to first step {report.open_ms:.1f} ms, {report.steps_per_s:,.0f} steps/s in one child")
    show("Machine: " + ", ".join(f"{name} {value}" for name, value in report.facts.items()))
    packages = package_versions()
    missing = [name for name, number in packages.items() if number is None]
    show("Training: " + ", ".join(f"{name} {number}" for name, number in packages.items() if number))
    if missing:
        show(f"  missing {', '.join(missing)}: pip install 'openspade[train]'", style="yellow")


def examine_model(name: str, thinking: Thinking, *, as_json: bool) -> int:
    """Shows the self-test of a model's template; the command's exit code."""
    from openspade.engine.chat.self_test import SELF_TEST_TOKENS, examine_template
    from openspade.engine.model.loading import find_folder, load_chat

    folder = find_folder(name, weights=False)
    chat = load_chat(folder, context_tokens=SELF_TEST_TOKENS, thinking=thinking)
    found = examine_template(chat)
    if as_json:
        show_json(_as_json(name, chat, found) | {"folder": str(folder)})
    else:
        _show(name, chat, found)
    return 0 if found.usable else EngineError.exit_code


def _as_json(name: str, chat: TemplateChat, found: Examination) -> dict[str, JSON]:
    return {
        "model": name,
        "reply_ends": list(_ends(chat)),
        "call_forms": list(_call_forms(chat)),
        "usable": found.usable,
        "findings": [asdict(finding) for finding in found.findings],
        "conversations": {kind: asdict(result) for kind, result in found.conversations.items()},
    }


def _show(name: str, chat: TemplateChat, found: Examination) -> None:
    show(f"Chat template of {name}; a reply ends with {' or '.join(_ends(chat))}", style="bold")
    if forms := _call_forms(chat):
        show(f"  tool calls in the form of {', '.join(forms)}")
    for kind, result in found.conversations.items():
        streams = "one stream" if result.streams == 1 else f"{result.streams} streams"
        show(f"  {kind:<9} six replies make {streams}; training reads each token {result.readings:.1f} times")
    for finding in found.findings:
        show(f"  ✗ {finding.what}", style="bold red" if finding.lost else "yellow")
        show(f"      cost: {finding.cost}", style="red" if finding.lost else "")
    if not found.usable:
        show("Not usable: what is told does not reach this model as it was said.", style="bold red")
    elif found.findings:
        show("Usable: what is sampled is what is trained.", style="bold green")
    else:
        show("Nothing broken: every conversation stays one exact stream.", style="bold green")


def _call_forms(chat: TemplateChat) -> tuple[str, ...]:
    """The forms of tool calls that the template contains, of those that are read."""
    from openspade.engine.chat.call_forms import taught_forms

    return taught_forms(chat.renderer.template.tool_source or chat.renderer.template.source)


def _ends(chat: TemplateChat) -> tuple[str, ...]:
    return tuple(chat.tokenizer.decode([stop]) for stop in sorted(chat.stop_ids))
