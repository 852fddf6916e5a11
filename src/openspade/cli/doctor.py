"""`doctor --model`: what a model's chat template breaks, and what that costs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from openspade.cli.terminal import show, show_json
from openspade.errors import EngineError
from openspade.tokens import JSON

if TYPE_CHECKING:
    from openspade.engine.chat.chat import TemplateChat
    from openspade.engine.chat.self_test import Examination
    from openspade.settings.learning import Thinking

SELF_TEST_TOKENS = 1 << 20
"""The self-test is about the template; whatever the model's context, its conversations fit."""


def examine_model(name: str, thinking: Thinking, *, as_json: bool) -> int:
    """Shows the self-test of a model's template; the command's exit code."""
    from openspade.engine.chat.self_test import examine_template
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
        "usable": found.usable,
        "findings": [asdict(finding) for finding in found.findings],
        "conversations": {kind: asdict(result) for kind, result in found.conversations.items()},
    }


def _show(name: str, chat: TemplateChat, found: Examination) -> None:
    show(f"Chat template of {name}; a reply ends with {' or '.join(_ends(chat))}", style="bold")
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


def _ends(chat: TemplateChat) -> tuple[str, ...]:
    return tuple(chat.tokenizer.decode([stop]) for stop in sorted(chat.stop_ids))
