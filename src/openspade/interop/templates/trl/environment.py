"""For TRL's GRPOTrainer: `environment_factory=ENVIRONMENTS, train_dataset=dataset(), reward_funcs=score`.

A game's one tool is `act`. A tool task's tools are its own, and `ask_user`. Every design is an environment of its own,
because TRL takes the tools from the class; the reward is one function for all of them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Literal

from .playing import Moved, Play, designs, hints, instances

RESERVED = ("reset", "get_reward")
_TYPES: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "object": dict,
    "array": list,
}
_GAME = (
    "You play a game in text. Read the rules in the first message and think about your move. Each call of `act` plays "
    "one move; the game goes on until it says that it is over."
)
_TASK = (
    "You work for a user by calling tools. Look values up rather than guessing them, do what the current request asks "
    "and nothing else, ask the user when a needed value is missing, and call `decline` when no tool can do what is "
    "asked. The next request follows when the current one is done."
)


class TextEnvironment:
    """One design; subclasses have its tools."""

    _design = ""
    _confined: bool | None = None

    def __init__(self) -> None:
        self._play: Play | None = None
        self._last = 0.0

    def reset(self, seed: int = 0, hinted: bool = False, **_: Any) -> str:
        """Begin the instance of a row's seed."""
        if self._play is None:
            self._play = Play(self._design, confined=self._confined, calls_are_turns=True)
        self._last = 0.0
        text = self._play.begin(seed)
        return f"{text}\n\nHint: {hints()[self._design]}" if hinted else text

    def _take(self, action: Any) -> str:
        if self._play is None:
            raise RuntimeError("reset() begins an episode")
        turn: Moved = self._play.step(action)
        self._last = turn.score
        return turn.shown + ("\nThe episode is over." if turn.over else "")


def score(environments: Sequence[TextEnvironment], **_: Any) -> list[float]:
    """The reward: each episode's score, from 0 to 1."""
    return [environment._last for environment in environments]


def dataset(hinted: bool = False) -> Any:
    """A row a design and seed: `prompt`, `environment`, `seed`."""
    from datasets import Dataset

    return Dataset.from_list([_row(row, hinted) for row in instances()])


def _row(row: dict[str, Any], hinted: bool) -> dict[str, Any]:
    system = _TASK if designs()[row["design"]]["kind"] == "tool" else _GAME
    # TRL appends what `reset` returns to the last message.
    prompt = [{"role": "system", "content": system}, {"role": "user", "content": ""}]
    return {"prompt": prompt, "environment": row["design"], "seed": row["seed"], "hinted": hinted}


def _class_of(design: str, facts: dict[str, Any]) -> type[TextEnvironment]:
    if facts["kind"] == "game":
        methods = {"act": _act}
    else:
        methods = {_free(tool["function"]["name"], RESERVED): _tool(tool["function"]) for tool in facts["tools"]}
        methods[_free("ask_user", methods)] = _ask_user
    named = {"_design": design, "__doc__": facts["title"], **methods}
    return type(f"Design_{design}", (TextEnvironment,), named)


def _free(name: str, taken: Any) -> str:
    """Methods of TRL's own cannot be tools, and private ones are none."""
    name = name.lstrip("_") or "tool"
    return f"{name}_tool" if name in taken else name


# `self` has no type: every annotation becomes part of the tool's schema.
def _act(self, move: str) -> str:
    """
    Play one move of the game.

    Args:
        move: The move itself, nothing else.

    Returns:
        What happens.
    """
    return self._take(move)


def _ask_user(self, text: str) -> str:
    """
    Say something to the user, such as a question about a missing value.

    Args:
        text: The words.

    Returns:
        The user's answer.
    """
    return self._take({"text": text, "calls": []})


_act.__name__, _ask_user.__name__ = "act", "ask_user"


def _tool(function: dict[str, Any]) -> Callable[..., str]:
    name, schema = function["name"], function["parameters"]
    properties, required = schema.get("properties", {}), schema.get("required", [])

    def call(self: TextEnvironment, **arguments: Any) -> str:
        return self._take({"text": "", "calls": [{"name": name, "arguments": arguments, "problem": ""}]})

    kinds = {key: _type(value) for key, value in properties.items()}
    own = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for key in sorted(properties, key=lambda key: key not in required):
        default = inspect.Parameter.empty if key in required else None
        own.append(inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kinds[key]))
    call.__signature__ = inspect.Signature(own, return_annotation=str)
    call.__annotations__ = {**kinds, "return": str}
    call.__name__ = _free(name, RESERVED)
    lines = [f"    {key}: {value.get('description') or key.replace('_', ' ')}" for key, value in properties.items()]
    described = " ".join((function.get("description") or name.replace("_", " ")).split())
    call.__doc__ = "\n".join([described, "", *(["Args:", *lines, ""] if lines else []), "Returns:", "    The answer."])
    return call


def _type(schema: dict[str, Any]) -> Any:
    kind: Any = _TYPES.get(schema.get("type", ""), Any)
    if schema.get("enum"):
        kind = Literal[tuple(schema["enum"])]
    elif kind is list and schema.get("items"):
        kind = list[_type(schema["items"])]
    elif kind is dict and schema.get("additionalProperties"):
        kind = dict[str, _type(schema["additionalProperties"])]
    return kind | None if schema.get("nullable") else kind


ENVIRONMENTS: dict[str, type[TextEnvironment]] = {name: _class_of(name, facts) for name, facts in designs().items()}
