"""Players that understand nothing. What they win, a policy would learn instead of the skill.

docs/gates.md lists them with what each is after.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from openspade.openspade_env import as_number
from openspade.types import Action, ToolCall
from openspade.verifier.players.probe import Player, View
from openspade.verifier.players.words import numbers_of, quotes_of, words_of

MAX_TEXT_CHARS = 4000


@dataclass(frozen=True, kw_only=True)
class Constant:
    """The same text every turn."""

    text: str
    name: str = "constant"
    patient: bool = False

    def act(self, view: View) -> Action | None:
        return Action(text=self.text)


@dataclass(frozen=True, kw_only=True)
class Reader:
    """A text made from the latest observation by a rule that knows nothing of the task."""

    name: str
    rule: Callable[[str], str]
    patient: bool = False

    def act(self, view: View) -> Action | None:
        return Action(text=self.rule(view.last.text or view.first))


@dataclass(frozen=True, kw_only=True)
class Foreign:
    """The solution of another instance."""

    name: str = "another seed's solution"
    patient: bool = True

    def act(self, view: View) -> Action | None:
        return view.foreign[view.turn % len(view.foreign)] if view.foreign else None


@dataclass(frozen=True, kw_only=True)
class Wanderer:
    """Legal-looking actions at random: what solutions of other instances do, with numbers and words seen here."""

    name: str = "random legal-looking actions"
    patient: bool = True

    def act(self, view: View) -> Action | None:
        if not view.elsewhere:
            return None
        action = view.rng.choice(view.elsewhere)
        if action.calls or view.rng.random() < 0.5:
            return action
        seen = numbers_of(view.last.text) or numbers_of(view.first)
        return Action(text=re.sub(r"\d+", lambda match: view.rng.choice(seen) if seen else match[0], action.text))


@dataclass(frozen=True, kw_only=True)
class Caller:
    """The same call every turn."""

    call: ToolCall
    name: str = "constant call"
    patient: bool = False

    def act(self, view: View) -> Action | None:
        return Action(text="", calls=(self.call,))


ASKING = ("help", "hint", "skip", "pass", "give up", "I give up", "answer", "solution", "show the answer", "?", "/help")
"""What a player says who would rather be told."""
_FIXED = {
    "nothing": ("",),
    "blank": (" \n",),
    "constant": ("0", "1", "2", "yes", "no", "true", "A", "none"),
    "boxed nonsense": ("\\boxed{}", "\\boxed{answer}"),
    "wildcard": ("*", ".*", "%", "0123456789", " ".join(map(str, range(60))), "abcdefghijklmnopqrstuvwxyz"),
    "type confusion": ("True", "nan", "[]", "{}", "None", "inf", "-0", "1e99"),
}
_PROSE = (
    "I have thought about this step by step. First I looked at what is given, then I compared every possibility, and "
    "finally I checked the result twice, because a careful answer matters. Therefore I am confident that this is right."
)
_TALK = {
    "asking": ASKING,
    "flattery": ("please", "The answer is correct.", "correct", "solved", "I win", "win", "yes please, thank you"),
    "form": ('{"answer": 1}', '"answer"', "[1]", "1.", "A, B, C, D", "7 of them", "whatever"),
    "prose": (_PROSE, " ".join([_PROSE] * 6), "please " * 30),
}


def _value(number: str) -> Fraction:
    return as_number(number) or Fraction(0)


_RULES: dict[str, Callable[[str], str]] = {
    "echo": lambda text: text,
    "first number": lambda text: next(iter(numbers_of(text)), ""),
    "last number": lambda text: next(reversed(numbers_of(text)), ""),
    "largest number": lambda text: max(numbers_of(text), key=_value, default=""),
    "smallest number": lambda text: min(numbers_of(text), key=_value, default=""),
    "every number": lambda text: ", ".join(numbers_of(text)),
    "every word": lambda text: ", ".join(dict.fromkeys(words_of(text))),
    "every option": lambda text: ", ".join(quotes_of(text)) or text.rpartition(":")[2].strip(),
    "last word": lambda text: next(reversed(words_of(text)), ""),
    "quoted text": lambda text: next(iter(quotes_of(text)), ""),
}


def game_attackers(plans: Sequence[Sequence[Action]]) -> list[Player]:
    """Everyone who attacks a game; `plans` are solutions of several instances."""
    said = {**_FIXED, **_TALK}
    fixed = [Constant(text=text, name=f"{name} {text[:20]!r}") for name, texts in said.items() for text in texts]
    silent = Constant(text="", name="nothing", patient=True)
    return [silent, *fixed[1:], *_readers(), *_popular(plans), *_everything(plans), Foreign(), Wanderer()]


def tool_attackers(plans: Sequence[Sequence[Action]], tools: Iterable[str]) -> list[Player]:
    """Everyone who attacks a tool task: silence, talk, declining, single calls, other instances' calls."""
    refusal = ToolCall(name="decline", arguments={"reason": "It cannot be done."})
    said = ("", "Done.", "\\boxed{done}", _PROSE, "please", "The task is solved.")
    talkers = [Constant(text=text, name=f"talk {text[:20]!r}") for text in said]
    empty = [Caller(call=ToolCall(name=name, arguments={}), name=f"{name}() without arguments") for name in tools]
    calls = Counter(_key(call) for plan in plans for action in plan for call in action.calls)
    known = {_key(call): call for plan in plans for action in plan for call in action.calls}
    frequent = [Caller(call=known[key], name=f"constant call {known[key].name}") for key, _ in calls.most_common(3)]
    return [*talkers, Caller(call=refusal, name="decline"), *empty, *frequent, Foreign(), Wanderer()]


def hint_players(hint: str) -> list[Player]:
    """Players that see the hint and nothing else: they say what stands in it."""
    said = [*numbers_of(hint), *quotes_of(hint), hint, *words_of(hint)[-1:]]
    return [*map(_saying, dict.fromkeys(said))][:12]


def _saying(text: str) -> Player:
    return Constant(text=text, name=f"hint's {text[:20]!r}")


def _readers() -> list[Player]:
    return [Reader(name=name, rule=rule) for name, rule in _RULES.items()]


def _popular(plans: Sequence[Sequence[Action]]) -> list[Player]:
    firsts = Counter(plan[0].text for plan in plans if plan)
    return [Constant(text=text, name=f"most frequent answer {text[:20]!r}") for text, _ in firsts.most_common(3)]


def _everything(plans: Sequence[Sequence[Action]]) -> list[Player]:
    """All winning moves that are known in one text, and all numbers under 100 in the place of a move's own."""
    lasts = [plan[-1].text.strip() for plan in plans if plan]
    shapes = Counter(re.split(r"\d+", text, maxsplit=1)[0] for text in lasts if re.search(r"\d", text))
    texts = {"every known answer at once": ", ".join(dict.fromkeys(lasts))}
    for shape, _ in shapes.most_common(1):
        texts["every number in a move"] = ", ".join(f"{shape}{number}" for number in range(100))
    return [Constant(text=text[:MAX_TEXT_CHARS], name=name) for name, text in texts.items()]


def moves_of(plans: Iterable[Sequence[Action]]) -> tuple[Action, ...]:
    """The distinct moves of solutions; of tool tasks the single calls."""
    known = {(action.text, tuple(map(_key, action.calls))): action for plan in plans for action in plan}
    singles = {_key(call): Action(text="", calls=(call,)) for action in known.values() for call in action.calls}
    return tuple(singles.values()) or tuple(known.values())


def _key(call: ToolCall) -> str:
    return f"{call.name}{dict(call.arguments)!r}"
