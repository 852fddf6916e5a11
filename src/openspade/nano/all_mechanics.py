"""All mechanics of the nano world, and what every program of it may draw."""

from __future__ import annotations

from collections.abc import Mapping

from openspade.nano.arithmetic import ARITHMETIC
from openspade.nano.letters import LETTER_GAMES
from openspade.nano.mechanic import Mechanic
from openspade.nano.multi_turn import TURN_GAMES
from openspade.nano.tool_mechanics import TOOL_TASKS
from openspade.tokens import JSON

MECHANICS: tuple[Mechanic, ...] = (*ARITHMETIC, *LETTER_GAMES, *TURN_GAMES, *TOOL_TASKS)

VAGUE_HINTS = (
    "Think carefully.",
    "Take your time.",
    "You can do it.",
    "Read it twice.",
    "Stay calm.",
    "Do not hurry.",
    "Be exact.",
    "Trust yourself.",
)

DECLINE: Mapping[str, JSON] = {
    "type": "function",
    "function": {
        "name": "decline",
        "description": "Tell the user that the current request cannot be met with these tools.",
        "parameters": {
            "type": "object",
            "properties": {"reason": {"type": "string", "description": "why it cannot be met"}},
            "required": ["reason"],
        },
    },
}
"""The tool that every task has."""


def mechanic(name: str) -> Mechanic:
    """The mechanic of that name."""
    return next(one for one in MECHANICS if one.name == name)
