"""Base classes of environments: what generated programs import, and every export carries along. Standard library only.

A `Game` is played in words:

>>> class Guess(Game):
...     '''Find a hidden number between 1 and 9 from "higher" and "lower".'''
...     skill = "logical deduction"
...     hint = "Ask for the middle of what is left."
...     def start(self, rng):
...         self.secret = rng.randint(1, 9)
...         return "I think of a number from 1 to 9. Which one?"
...     def act(self, action):
...         if same_answer(action, self.secret, kind="number"):
...             return self.win("Yes.")
...         guess = as_number(action)
...         if guess is None:
...             return "Please say a number."
...         return "Higher." if guess < self.secret else "Lower."
...     def solution(self):
...         return [str(self.secret)]
>>> game = Guess()
>>> game.reset(seed=4)
('I think of a number from 1 to 9. Which one?', {})
>>> game.step("1")
('Higher.', 0.0, False, False, {})
>>> game.step(game.plan()[0])
('Yes.', 1.0, True, False, {})

A `ToolTask` is played by calling its tools; requests are revealed one after another:

>>> class Lamps(ToolTask):
...     '''Switch lamps.'''
...     skill = "state modification"
...     hint = "One call a lamp."
...     def start(self, rng):
...         self.state = {"hall": False}
...         self.requests = [Request("Light in the hall, please.", done=lambda s: s["hall"])]
...     @tool
...     def switch(self, lamp: str, on: bool) -> str:
...         '''Switch a lamp.'''
...         self.state[lamp] = on
...         return "ok"
...     def solution(self):
...         return [[self.call("switch", lamp="hall", on=True)]]
>>> task = Lamps()
>>> task.reset(seed=0)[0]
'Light in the hall, please.'
>>> observation, reward, terminated, truncated, info = task.step(task.plan()[0])
>>> observation, reward, terminated
({'text': 'Thank you, that was all.', 'results': ['ok']}, 1.0, True)
"""

from __future__ import annotations

import copy
import inspect
import json
import random
import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeVar, cast

__all__ = ["ContractError", "Game", "Request", "ToolError", "ToolTask", "as_number", "same_answer", "tool"]

MAX_RESULT_CHARS = 8000
MAX_CALLS_PER_TURN = 16

State = Any
Step = tuple[Any, float, bool, bool, dict[str, Any]]
Schema = dict[str, Any]
Call = dict[str, Any]
Tool = TypeVar("Tool", bound=Callable[..., Any])


class ContractError(Exception):
    """The program does not keep the contract; the text is one sentence for its author."""


class ToolError(Exception):
    """A tool's refusal: the agent reads the text as the call's result."""


# --- games --------------------------------------------------------------------------------------


class Game:
    """An environment played in words. Write `start`, `act` and `solution`; every `reset` begins with a fresh object.

    The host counts turns and truncates; `act` must answer any text without raising.
    """

    skill: str = ""
    hint: str = ""
    max_turns: int = 25
    _earned: float | None = None

    def start(self, rng: random.Random) -> str:
        """The first observation. `rng` is the only source of chance."""
        raise ContractError(f"{type(self).__name__} has no start(self, rng)")

    def act(self, action: str) -> str:
        """One turn: the next observation, or `return self.win(...)`, `self.lose(...)`, `self.score(...)`."""
        raise ContractError(f"{type(self).__name__} has no act(self, action)")

    def solution(self) -> list[str]:
        """Actions that win this instance from its start."""
        raise ContractError(f"{type(self).__name__} has no solution(self)")

    def win(self, text: str = "Solved.") -> str:
        """End the episode with reward 1."""
        return self.score(1.0, text)

    def lose(self, text: str = "Not solved.") -> str:
        """End the episode with reward 0."""
        return self.score(0.0, text)

    def score(self, reward: float, text: str) -> str:
        """End the episode with partial credit from 0 to 1."""
        self._earned = reward
        return text

    def reset(self, *, seed: int) -> tuple[str, dict[str, Any]]:
        """Begin the instance of this seed."""
        _forget(self)
        return _text(self.start(random.Random(seed)), "start()"), {}

    def step(self, action: str) -> Step:
        """Gymnasium's five values; a step after the end changes nothing."""
        if self._earned is not None:
            return "The episode is over.", 0.0, True, False, {}
        observation = _text(self.act(action), "act()")
        if self._earned is None:
            return observation, 0.0, False, False, {}
        return observation, self._earned, True, False, {}

    def plan(self) -> list[str]:
        """`solution()` of the current instance, which stays as it is."""
        plan = _untouched(self).solution()
        if not isinstance(plan, (list, tuple)) or not all(isinstance(action, str) for action in plan):
            raise ContractError("solution() must return a list of texts, one action each")
        return list(plan)


# --- tool tasks ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Request:
    """What the user wants next, and how to see in the state that it is met.

    `impossible`: no tool fits, it is met by declining. `answers`: what the user says when asked for the key's words.
    `change`: what happens to the state just before the request is made.
    """

    text: str
    done: Callable[[State], Any] | None = None
    impossible: bool = False
    answers: Mapping[str, str] = field(default_factory=dict)
    change: Callable[[State], Any] | None = None

    def __post_init__(self) -> None:
        if self.done is None and not self.impossible:
            raise ContractError(f"the request {self.text[:60]!r} has neither done= nor impossible=True")

    def answer(self, question: str) -> str:
        """The user's reply to a question: every answer whose key's words all stand in it.

        >>> Request("Send it to me.", done=bool, answers={"street_name": "Elm Street"}).answer("Which street, by name?")
        'street name: Elm Street'
        """
        words = set(re.findall(r"\w+", question.lower()))
        keys = [key for key in self.answers if set(key.lower().replace("_", " ").split()) <= words]
        return "; ".join(f"{key.replace('_', ' ')}: {self.answers[key]}" for key in keys)


def tool(function: Tool) -> Tool:
    """Offer a method to the agent: its type hints and docstring become the JSON schema."""
    setattr(function, "_is_tool", True)  # noqa: B010 - functions have no declared attributes
    return function


class ToolTask:
    """An environment played by tool calls. Write `start` (sets `state` and `requests`), `@tool` methods and `solution`.

    Pays the share of requests met: 1 when all are. Declining a request that could be met ends the episode.
    """

    skill: str = ""
    hint: str = ""
    max_turns: int = 25
    state: State
    requests: list[Request]
    _met: list[bool]
    _failed: set[tuple[str, str]]
    _running: str
    _tools: dict[str, Schema]

    def start(self, rng: random.Random) -> str | None:
        """Set `self.state` and `self.requests`; a returned text is shown before the first request."""
        raise ContractError(f"{type(self).__name__} has no start(self, rng)")

    def solution(self) -> list[list[Call | str]]:
        """One list for each request: `self.call(...)`, `self.decline(...)`, or a question to the user as text."""
        raise ContractError(f"{type(self).__name__} has no solution(self)")

    def call(self, tool: str, /, **arguments: Any) -> Call:
        """A call for `solution`."""
        return {"name": tool, "arguments": arguments, "problem": ""}

    def decline(self, reason: str) -> Call:
        """The call that says the current request cannot be met."""
        return self.call("decline", reason=reason)

    def fail_once(self, message: str) -> None:
        """Raise a `ToolError` the first time that this tool gets here with this message."""
        mark = (self._running, message)
        if mark not in self._failed:
            self._failed.add(mark)
            raise ToolError(message)

    def reset(self, *, seed: int) -> tuple[str, dict[str, Any]]:
        """Begin the instance of this seed."""
        _forget(self)
        self._met = []
        self._failed = set()
        self._running = ""
        self._tools = {schema["function"]["name"]: schema for schema in _tools(type(self))}
        intro = self.start(random.Random(seed))
        if not getattr(self, "requests", None) or not hasattr(self, "state"):
            raise ContractError("start() must set self.state and a non-empty list self.requests")
        self._open()
        first = self.requests[0].text
        return f"{_text(intro, 'start()')}\n\n{first}" if intro else first, self._report([])

    def step(self, action: str | Mapping[str, Any]) -> Step:
        """Run the action's calls in order; `text` of the observation is what the user says, if anything."""
        if self._over():
            return {"text": "The episode is over.", "results": []}, 0.0, True, False, self._report([])
        wire: Mapping[str, Any] = {"text": action, "calls": []} if isinstance(action, str) else action
        closed = len(self._met)
        results: list[str] = []
        refused: list[int] = []
        for index, call in enumerate(wire["calls"]):
            try:
                results.append(self._run(call, index))
            except (ToolError, ValueError, LookupError) as error:
                refused.append(index)
                results.append(f"Error: {_reason(error)}")
        text = self._reply(closed, wire["text"], called=bool(results))
        reward = sum(self._met) / len(self.requests)
        return {"text": text, "results": results}, reward, self._over(), False, self._report(refused)

    def plan(self) -> list[dict[str, Any]]:
        """`solution()` of the current instance as actions: neighbouring calls of one request go into one message."""
        solution = _untouched(self).solution()
        if not isinstance(solution, (list, tuple)) or len(solution) != len(self.requests):
            raise ContractError(f"solution() must return one list for each of the {len(self.requests)} requests")
        actions: list[dict[str, Any]] = []
        for part in solution:
            joins = False
            for item in part:
                if isinstance(item, str):
                    actions.append({"text": item, "calls": []})
                elif joins:
                    actions[-1]["calls"].append(item)
                else:
                    actions.append({"text": "", "calls": [item]})
                joins = not isinstance(item, str)
        return actions

    def _run(self, call: Call, index: int) -> str:
        name, arguments = str(call["name"]), call["arguments"]
        if call.get("problem"):
            raise ToolError(call["problem"])
        if index >= MAX_CALLS_PER_TURN:
            raise ToolError(f"not run: a message may hold {MAX_CALLS_PER_TURN} calls")
        if self._over():
            raise ToolError("not run: the episode is over")
        if name not in self._tools:
            raise ToolError(f"there is no tool {name!r}; there are {', '.join(self._tools)}")
        problem = argument_problem(arguments, self._tools[name])
        if problem:
            raise ToolError(problem)
        if name == "decline":
            request = self.requests[len(self._met)]
            self._close(request.impossible and (request.done is None or self._done(len(self._met))))
            return "ok"
        self._running = name
        result = _printed(getattr(self, name)(**arguments), name)
        if self._satisfied():
            self._close(True)
        return result

    def _satisfied(self) -> bool:
        return not self._over() and not self.requests[len(self._met)].impossible and self._done(len(self._met))

    def _close(self, met: bool) -> None:
        self._met.append(met)
        if not self._over():
            self._open()

    def _open(self) -> None:
        change = self.requests[len(self._met)].change
        if change:
            change(self.state)

    def _done(self, index: int) -> bool:
        done = self.requests[index].done
        try:
            return bool(done(self.state)) if done else False
        except Exception as error:  # fail closed: a criterion that raises is a broken environment, never "not yet"
            raise ContractError(f"done of request {index + 1} raised {type(error).__name__}: {error}") from error

    def _over(self) -> bool:
        return len(self._met) >= len(self.requests) or not all(self._met)

    def _reply(self, closed: int, said: str, *, called: bool) -> str:
        if self._over():
            return "Thank you, that was all." if all(self._met) else "That is a pity. I will ask elsewhere."
        request = self.requests[len(self._met)]
        if len(self._met) > closed:
            return request.text
        answer = request.answer(said)
        if answer or called:
            return answer
        return f"Please use the tools. My request is still open: {request.text}"

    def _report(self, refused: list[int]) -> dict[str, Any]:
        """For the gates, never for the agent: `satisfied` ends with the open request's criterion as it stands now."""
        met = list(self._met)
        if not self._over():
            met.append(self._satisfied())
        return {"met": sum(self._met), "requests": len(self.requests), "satisfied": met, "refused": refused}


# --- answers ------------------------------------------------------------------------------------

_NUMBER = re.compile(r"[+-]?(\d{1,40}|\d{1,3}(,\d{3}){1,12})?(\.\d{1,40})?(e[+-]?\d{1,2})?", re.ASCII | re.IGNORECASE)


def as_number(text: str) -> Fraction | None:
    """The exact number a text is (integer, decimal, 1e3, 1,000 or a fraction 3/4); None when it is anything else.

    >>> as_number(" 3/4 "), as_number("1,000"), as_number("nan"), as_number("4 apples")
    (Fraction(3, 4), Fraction(1000, 1), None, None)
    """
    parts = [part.strip() for part in text.strip().split("/")]
    if len(parts) > 2 or not all(_NUMBER.fullmatch(part) and re.search(r"\d", part.split("e")[0]) for part in parts):
        return None
    numbers = [Fraction(part.replace(",", "")) for part in parts]
    if len(numbers) == 1:
        return numbers[0]
    return numbers[0] / numbers[1] if numbers[1] else None


def same_answer(
    given: str,
    wanted: object,
    *,
    kind: Literal["exact", "text", "number", "list", "set"] = "exact",
    tolerance: float = 0.0,
) -> bool:
    """Whether an answer is the wanted one. Never by substring; blanks around it never matter.

    `text` ignores case and runs of blanks. `number` compares values, off by `tolerance` at most.
    `list` wants the same items in order, `set` the same items as often in any order; items are separated by commas,
    or by blanks, and brackets around them are optional; items that are numbers compare as numbers.

    >>> same_answer(" Paris", "Paris"), same_answer("new  york", "New York", kind="text")
    (True, True)
    >>> same_answer("1/2", 0.5, kind="number"), same_answer("3.1", 3.14159, kind="number", tolerance=0.1)
    (True, True)
    >>> same_answer("[3, 1.0, 2]", [3, 1, 2], kind="list"), same_answer("a, b, c", {"a", "b"}, kind="set")
    (True, False)
    """
    if kind == "exact":
        return given.strip() == str(wanted).strip()
    if kind == "text":
        return _folded(given) == _folded(str(wanted))
    if kind == "number":
        return _same_number(given, wanted, tolerance)
    if kind not in ("list", "set"):
        raise ContractError(f"same_answer has no kind {kind!r}; there are exact, text, number, list, set")
    wishes = _items(wanted) if isinstance(wanted, str) else [str(item) for item in cast("Iterable[object]", wanted)]
    answers = [_canonical(item) for item in _items(given, whole=len(wishes) == 1)]
    wishes = [_canonical(item) for item in wishes]
    return answers == wishes if kind == "list" else sorted(answers) == sorted(wishes)


def _same_number(given: str, wanted: object, tolerance: float) -> bool:
    number, wish = as_number(given), as_number(str(wanted))
    if wish is None:
        raise ContractError(f"same_answer(kind='number') wants a number, not {wanted!r}")
    if number is None:
        return False
    rounding = abs(wish) / 10**9 if isinstance(wanted, float) else Fraction(0)
    return abs(number - wish) <= max(Fraction(tolerance), rounding)


def _items(text: str, *, whole: bool = False) -> list[str]:
    inner = text.strip()
    if len(inner) > 1 and inner[0] + inner[-1] in ("[]", "()", "{}"):
        inner = inner[1:-1]
    parts = re.split(r"[,;\n]", inner) if re.search(r"[,;\n]", inner) or whole else inner.split()
    return [part for part in parts if part.strip()]


def _canonical(item: str) -> str:
    item = item.strip().strip("'\"")
    number = as_number(item)
    return _folded(item) if number is None else str(number)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


# --- schemas ------------------------------------------------------------------------------------

_JSON_NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object"}
_JSON_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}
_DECLINE: Schema = {
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


def function_schema(function: Callable[..., Any]) -> Schema:
    """A method as an OpenAI function; docstring lines `parameter: words` describe its parameters.

    >>> def add(self, item: str, count: int = 1): '''Put an item into the basket.'''
    >>> function_schema(add)["function"]["parameters"]
    {'type': 'object', 'properties': {'item': {'type': 'string'}, 'count': {'type': 'integer'}}, 'required': ['item']}
    """
    name = function.__name__
    try:
        hints = typing.get_type_hints(function)
    except Exception as error:  # hints are the program's own expressions
        raise ContractError(f"the type hints of tool {name} cannot be read: {error}") from error
    lines = inspect.cleandoc(function.__doc__ or "").splitlines()
    properties: dict[str, Schema] = {}
    required: list[str] = []
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) or parameter.name not in hints:
            raise ContractError(f"parameter {parameter.name} of tool {name} needs a name and a type hint")
        properties[parameter.name] = _type_schema(hints[parameter.name], f"parameter {parameter.name} of tool {name}")
        for line in lines[1:]:
            described = re.fullmatch(rf"\s*{parameter.name}\s*(\(.*?\))?\s*:\s*(.+)", line)
            if described:
                properties[parameter.name]["description"] = described[2]
        if parameter.default is parameter.empty:
            required.append(parameter.name)
    parameters = {"type": "object", "properties": properties, "required": required}
    description = " ".join(lines).partition("Args:")[0].strip() if len(lines) == 1 else lines[0] if lines else ""
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def argument_problem(arguments: object, schema: Mapping[str, Any]) -> str:
    """What is wrong with a call's arguments, naming the argument; "" when nothing is.

    >>> argument_problem({"reason": 3}, _DECLINE)
    "decline: argument 'reason' must be a string, not 3"
    """
    name = schema["function"]["name"]
    parameters = schema["function"]["parameters"]
    if not isinstance(arguments, dict):
        return f"{name}: arguments must be an object, not {_shown(arguments)}"
    problem = _object_problem(arguments, parameters, "argument ")
    return f"{name}: {problem}" if problem else ""


def _object_problem(value: Mapping[str, Any], schema: Schema, path: str) -> str:
    properties: Mapping[str, Schema] = schema.get("properties", {})
    for key in schema.get("required", ()):
        if key not in value:
            return f"{path}{key!r} is missing"
    for key, item in value.items():
        if key not in properties and "properties" in schema:
            return f"{path}{key!r} is unknown; there are {', '.join(properties) or 'none'}"
        problem = _value_problem(item, properties.get(key, schema.get("additionalProperties", {})), f"{path}{key!r}")
        if problem:
            return problem
    return ""


def _value_problem(value: Any, schema: Schema, path: str) -> str:
    kind = schema.get("type")
    if value is None:
        return "" if not kind or schema.get("nullable") else f"{path} must not be null"
    if kind and not _fits(value, kind):
        return f"{path} must be {'an' if kind[0] in 'aio' else 'a'} {kind}, not {_shown(value)}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{path} must be one of {', '.join(map(str, schema['enum']))}, not {_shown(value)}"
    if kind == "array" and "items" in schema:
        problems = (_value_problem(item, schema["items"], f"{path}[{index}]") for index, item in enumerate(value))
        return next(filter(None, problems), "")
    return _object_problem(value, schema, f"{path}.") if kind == "object" else ""


def _fits(value: object, kind: str) -> bool:
    return isinstance(value, _JSON_TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _type_schema(hint: Any, where: str) -> Schema:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return {}
    if hint in _JSON_NAMES:
        return {"type": _JSON_NAMES[hint]}
    if origin is Literal and len({type(value) for value in arguments}) == 1 and type(arguments[0]) in _JSON_NAMES:
        return {"type": _JSON_NAMES[type(arguments[0])], "enum": list(arguments)}
    if origin in (typing.Union, types.UnionType) and len(arguments) == 2 and type(None) in arguments:
        inner = arguments[0] if arguments[1] is type(None) else arguments[1]
        return {**_type_schema(inner, where), "nullable": True}
    if origin is list:
        return {"type": "array", "items": _type_schema(arguments[0], where)}
    if origin is dict and arguments[0] is str:
        return {"type": "object", "additionalProperties": _type_schema(arguments[1], where)}
    raise ContractError(f"{where} has the hint {hint}; use str, int, float, bool, list, dict, Literal or X | None")


# --- loading ------------------------------------------------------------------------------------

_PROGRAMS_OWN = {"start", "act", "solution", "skill", "hint", "max_turns", "state", "requests"}
_SEALED = {
    "__class__", "__copy__", "__deepcopy__", "__delattr__", "__getattribute__", "__new__", "__reduce__",
    "__reduce_ex__", "__setattr__",
}  # fmt: skip
_KEPT = {
    base: frozenset(
        {name for name in {*vars(base), *base.__annotations__} - _PROGRAMS_OWN if not name.startswith("__")} | _SEALED
    )
    for base in (Game, ToolTask)
}


def load(namespace: Mapping[str, Any]) -> type:
    """The one environment class of an executed program; a bare class with `reset` and `step` comes back wrapped."""
    classes = [value for value in namespace.values() if isinstance(value, type) and _is_own(value, namespace)]
    bases = (Game, ToolTask)
    found = [one for one in classes if issubclass(one, bases)] or [one for one in classes if _is_bare(one)]
    leaves = [one for one in dict.fromkeys(found) if not any(one in other.__mro__[1:] for other in found)]
    if not leaves:
        raise ContractError("there is no environment class; write one class derived from Game or ToolTask")
    if len(leaves) > 1:
        names = ", ".join(one.__name__ for one in leaves)
        raise ContractError(f"there must be one environment class, but {names} are {len(leaves)}")
    environment = leaves[0]
    kept = kept_names(environment)
    for one in environment.__mro__ if kept and "__name__" in namespace else ():
        if not kept.isdisjoint(vars(one)) and _is_own(one, namespace):
            taken = sorted(kept & vars(one).keys())[0]
            raise ContractError(f"{taken} of {one.__name__} takes the place of openspade_env's own: rename it")
    if issubclass(environment, bases):
        return environment
    if "seed" not in inspect.signature(environment.reset).parameters:
        raise ContractError(f"reset() of {environment.__name__} must take seed")
    shown = {name: getattr(environment, name) for name in ("skill", "hint", "max_turns") if hasattr(environment, name)}
    return type(environment.__name__, (_Bare,), {"__doc__": environment.__doc__, "_program": environment, **shown})


def kept_names(environment: type) -> frozenset[str]:
    """Names that a class derived from a base class may not define: what the base counts and judges with."""
    return next((kept for base, kept in _KEPT.items() if issubclass(environment, base)), frozenset())


def describe(environment: type) -> dict[str, Any]:
    """What the host may know of a loaded class: kind, title, skill, hint, max_turns and the tools' schemas."""
    kind = "tool" if issubclass(environment, ToolTask) else "game"
    texts = {name: getattr(environment, name, "") for name in ("skill", "hint")}
    for name, text in texts.items():
        if not isinstance(text, str):
            raise ContractError(f"{name} must be a text, not {type(text).__name__}")
    turns = getattr(environment, "max_turns", 25)
    if type(turns) is not int or turns < 1:
        raise ContractError(f"max_turns must be a whole number of at least 1, not {turns!r}")
    tools = _tools(environment) if kind == "tool" else []
    title = inspect.cleandoc(environment.__doc__ or "")
    return {"kind": kind, "title": title, **texts, "max_turns": turns, "tools": tools}


class _Bare:
    """A class with Gymnasium's `reset` and `step`, made anew for every episode."""

    skill: str = ""
    hint: str = ""
    max_turns: int = 25
    _program: type

    def reset(self, *, seed: int) -> tuple[Any, dict[str, Any]]:
        self._inner: Any = self._program()
        answer = self._inner.reset(seed=seed)
        return answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, {})

    def step(self, action: str) -> Step:
        answer = self._inner.step(action)
        if not isinstance(answer, tuple) or len(answer) != 5:
            raise ContractError("step() must return (observation, reward, terminated, truncated, info)")
        return answer

    def plan(self) -> list[str]:
        if not hasattr(self._program, "solution"):
            raise ContractError(f"{self._program.__name__} has no solution(self)")
        return list(_untouched(self._inner).solution())


def _is_own(value: type, namespace: Mapping[str, Any]) -> bool:
    return value.__module__ == namespace.get("__name__", value.__module__) and value not in (Game, ToolTask)


def _is_bare(value: type) -> bool:
    return callable(getattr(value, "reset", None)) and callable(getattr(value, "step", None))


def _tools(environment: type) -> list[Schema]:
    found: dict[str, Any] = {}
    for one in reversed(environment.__mro__):
        found.update({name: value for name, value in vars(one).items() if getattr(value, "_is_tool", False)})
    if not found:
        raise ContractError(f"{environment.__name__} offers no tool; mark methods with @tool")
    return [*map(function_schema, found.values()), _DECLINE]


Environment = TypeVar("Environment")


def _forget(environment: object) -> None:
    # Attributes of the last episode must not reach the next one, also where start() forgets to set them.
    environment.__dict__.clear()
    type(environment).__init__(environment)


def _untouched(environment: Environment) -> Environment:
    try:
        return copy.deepcopy(environment)
    except (TypeError, copy.Error):  # it keeps something that cannot be copied, such as a generator
        return environment


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise ContractError(f"{where} must return a text, not {type(value).__name__}")
    return value


def _printed(value: Any, name: str) -> str:
    try:
        text = value if isinstance(value, str) else "ok" if value is None else json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise ContractError(f"tool {name} must return text or JSON: {error}") from error
    if len(text) <= MAX_RESULT_CHARS:
        return text
    return f"{text[:MAX_RESULT_CHARS]} ... ({len(text) - MAX_RESULT_CHARS} more characters)"


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error.args[0]!r} is not there" if error.args else "it is not there"
    return str(error) or type(error).__name__


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:60]}..."
