"""Gates on leaks: the answer must not stand in what is shown, and the hint must be no answer.

Single coincidences prove nothing: "add 1" in a hint is no leak because one instance's answer is 1. What counts is an
answer that differs between instances and yet stands in the same place of the observation, or a value that only one
instance has.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

from openspade.roles.source import parse
from openspade.sandbox.failures import ProgramFault
from openspade.types import Action, Observation, Problem
from openspade.verifier.gate import Judgement, short
from openspade.verifier.gates.cheap import beats_floor
from openspade.verifier.gates.disguises import disguised_answer, disguised_values
from openspade.verifier.players.attackers import ASKING, hint_players
from openspade.verifier.players.probe import Cast, Instance, Play, Probe, Script
from openspade.verifier.players.words import words_of

LEAK_SHARE = 0.5
MIN_DISTINCT = 4
CONTEXT_WORDS = 2
MIN_TOLD_CALLS = 3
"""Calls that a text must name in order to be a plan and no request: a user may well say "find it and cancel it"."""
# A program may say much to keep us busy: beyond these sizes nothing is looked for.
MAX_TEXT_CHARS = 20_000
MAX_SHOWN_CHARS = 200_000
MAX_ANSWER_WORDS = 100
MAX_VALUES = 60
EVERYDAY = frozenset(
    {*range(13), 16, 20, 24, 26, 30, 31, 32, 50, 52, 60, 64, 90, 100, 128, 180, 256, 360, 365, 366, 1000, 1440}
)
NUMBER_WORDS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
} | {
    word: 10 * (2 + place) for place, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())
}


async def no_solution_leakage(probe: Probe) -> Judgement:
    """No observation holds the answer, plain in a fixed place or disguised: at first, after nonsense, or on request."""
    instances = [one for one in await probe.instances() if not isinstance(one.first, ProgramFault)]
    asked = [Cast(seed=one.seed, player=ASKER) for one in instances[: 2 * probe.config.seeds]]
    await probe.play(asked)
    if probe.is_tool:
        return _named_tools(probe) or _told_plan(instances) or disguised_values(probe, instances)
    by_seed = {one.seed: one.plan for one in instances if not isinstance(one.plan, ProgramFault) and one.plan}
    firsts = {one.seed: one.first.text for one in instances if not isinstance(one.first, ProgramFault)}
    later: dict[int, str] = {}
    for play in probe.plays:
        if play.player.name != "solution" and play.seed in by_seed:
            later[play.seed] = f"{later.get(play.seed, '')} {_after_start(play)}"
    for what, shown in (("The first observation", firsts), ("An observation after a wrong action", later)):
        seeds = [seed for seed in shown if seed in by_seed]
        pairs = [(shown[seed], _answer(by_seed[seed])) for seed in seeds]
        place = _leaking_place(pairs, from_ends=shown is firsts)
        place = place or disguised_answer(
            [shown[s] for s in seeds], [by_seed[s] for s in seeds], [firsts[s] for s in seeds]
        )
        if place:
            return _leak(what, place, seeds[0])
    return None


async def hint_leak(probe: Probe) -> Judgement:
    """The hint holds no instance's answer or secret, and who only reads the hint wins nothing."""
    hint = probe.design.hint
    instances = await probe.instances()
    shown = _everything_shown(probe)
    for one in instances[: probe.config.seeds]:
        for value in _secrets(one, instances, shown):
            if _stands_in(value, hint):
                said = f"The hint says {short(value, 40)!r}, a part of the solution that the task does not show"
                message = f"{said}: hint at the way, not the goal."
                return Problem(gate="hint_leak", message=message, evidence=f"seed {one.seed}")
    rule = await _hidden_rule(probe)
    if rule:
        message = f"The program reckons with {rule}, and only the hint tells it: state the rules in what is shown."
        return Problem(gate="hint_leak", message=message, evidence=short(hint))
    if probe.is_tool:
        return None
    winner = await beats_floor(probe, hint_players(hint))
    if isinstance(winner, str):
        return None
    message = f"Who only repeats the hint earns {winner.mean:.2f} on average: the hint is the answer."
    return Problem(gate="hint_leak", message=message, evidence=f"{winner.play.player.name}, {winner.plays} plays")


async def hint_general(probe: Probe) -> Judgement:
    """The hint that runs is the hint that was read: one text for all instances."""
    if probe.environment.description.hint.strip() == probe.design.hint:
        return None
    message = "The hint changes when the program runs: write one literal text that helps on every instance."
    return Problem(gate="hint_general", message=message, evidence=short(probe.environment.description.hint))


ASKER = Script(actions=tuple(Action(text=text) for text in ASKING), name="asks for the answer")


def _leak(what: str, place: str, seed: int) -> Problem:
    message = f"{what} gives the answer away {place}: show the task, not its solution."
    return Problem(gate="no_solution_leakage", message=message, evidence=f"seed {seed}")


def _answer(plan: Sequence[Action]) -> str:
    """What an agent must find out: the whole solution as words."""
    words = [word for action in plan for word in words_of(action.text)]
    return " ".join(words) if len(words) <= MAX_ANSWER_WORDS else ""


def _after_start(play: Play) -> str:
    """Everything shown after the start, while the episode was going on or when its turns ran out."""
    return " ".join(result.observation.text for _, result in play.moves if not result.terminated)


def _leaking_place(pairs: Sequence[tuple[str, str]], *, from_ends: bool = True) -> str:
    """Where at least half of the observations hold their own answer, if those answers differ enough to be a secret."""
    places: dict[str, set[int]] = defaultdict(set)
    for index, (text, answer) in enumerate(pairs):
        for place in _places(words_of(text[:MAX_TEXT_CHARS].lower()), answer.lower().split(), from_ends=from_ends):
            places[place].add(index)
    for place, indices in places.items():
        distinct = {pairs[index][1] for index in indices}
        if len(indices) > LEAK_SHARE * len(pairs) and len(distinct) >= MIN_DISTINCT:
            return place
    return ""


def _places(words: Sequence[str], answer: Sequence[str], *, from_ends: bool) -> list[str]:
    found: list[str] = []
    followers = _followers(words, len(answer))
    for start in range(len(words) - len(answer) + 1 if answer else 0):
        if words[start : start + len(answer)] == answer:
            before = tuple(words[max(0, start - CONTEXT_WORDS) : start])
            # A context that other values follow as well does not single the answer out.
            if followers.get(before, set()) == {tuple(answer)}:
                found.append(f"after {' '.join(before)!r}")
            if from_ends:
                found.append(f"as word {start + 1}")
                found.append(f"as word {len(words) - start} from the end")
    return found


def _followers(words: Sequence[str], length: int) -> Mapping[tuple[str, ...], set[tuple[str, ...]]]:
    """What stands behind each pair of words, as many words as the answer has."""
    found: dict[tuple[str, ...], set[tuple[str, ...]]] = defaultdict(set)
    for start in range(CONTEXT_WORDS, len(words)):
        found[tuple(words[start - CONTEXT_WORDS : start])].add(tuple(words[start : start + length]))
    return found


def _named_tools(probe: Probe) -> Problem | None:
    """No text spells a call out: not the request, and no tool's answer."""
    functions = [schema["function"] for schema in probe.environment.description.tools]
    for name in [str(function["name"]) for function in functions if isinstance(function, dict)]:
        call = re.compile(rf"""(?<!\w){re.escape(name)}\(|["']name["']: ?["']{re.escape(name)}["']""")
        for play in probe.plays:
            for seen in play.observations:
                told = next((text for text in (seen.text, *seen.results) if _spells(text, call)), "")
                if told:
                    message = (
                        f"A text spells out the call of {name}: let it say what is wanted or known, not how to do it."
                    )
                    evidence = f"seed {play.seed}: {short(told)}"
                    return Problem(gate="no_solution_leakage", message=message, evidence=evidence)
    return None


def _spells(text: str, call: re.Pattern[str]) -> bool:
    # What a tool says of a call that was refused may name the tool.
    return not text.startswith("Error: ") and call.search(text) is not None


def _told_plan(instances: Sequence[Instance]) -> Problem | None:
    """The first observation names the tools of the whole solution in their order."""
    told = [one for one in instances if _names_its_plan(one)]
    if 2 * len(told) <= len(instances):
        return None
    message = "What the user says first names every tool of the solution in order: let requests say what, not how."
    evidence = f"seed {told[0].seed}: {short(str(told[0].first))}"
    return Problem(gate="no_solution_leakage", message=message, evidence=evidence)


def _names_its_plan(one: Instance) -> bool:
    if isinstance(one.plan, ProgramFault) or isinstance(one.first, ProgramFault):
        return False
    names = [call.name for action in one.plan for call in action.calls if call.name != "decline"]
    words = iter(re.findall(r"\w+", one.first.text))
    return len(names) >= MIN_TOLD_CALLS and all(name in words for name in names)


def _secrets(one: Instance, instances: Sequence[Instance], shown: str) -> list[str]:
    """Telling values of a solution that its start does not show: this instance's own, or shown nowhere in any play."""
    if isinstance(one.plan, ProgramFault) or isinstance(one.first, ProgramFault):
        return []
    plans = [other.plan for other in instances if other is not one and not isinstance(other.plan, ProgramFault)]
    others = " ".join(map(_spelt, plans))[:MAX_SHOWN_CHARS]
    # In a tool task a plan's texts are questions to the user: they ask for a secret, and hold none.
    told = [] if any(action.calls for action in one.plan) else [action.text.strip() for action in one.plan]
    values = [text for text in told if text]
    values += [str(value) for action in one.plan for call in action.calls for value in call.arguments.values()]
    values += [word for value in values for word in words_of(value)]
    distinct = list(dict.fromkeys(value for value in values if len(value) <= MAX_ANSWER_WORDS))[:MAX_VALUES]
    hidden = [value for value in distinct if _telling(value) and not _stands_in(value, one.first.text)]
    rare = len(instances) // 8
    never_shown = [value for value in hidden if " " not in value and not _stands_in(value, shown)]
    return [value for value in hidden if _count(value, others) <= rare or value in never_shown]


async def _hidden_rule(probe: Probe) -> str:
    """A number that the program computes with and the hint states, though nobody else does; "" when there is none.

    Small numbers and those of everyday life (hours, degrees, cents) prove nothing. What is shown in most instances is
    known to everybody.
    """
    tree = parse(probe.design.source)
    if isinstance(tree, Problem):
        return ""
    constants = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is int}
    description = probe.environment.description
    known = _stated_numbers(f"{description.title} {description.tools}") | EVERYDAY
    firsts = [_stated_numbers(one.first.text) for one in await probe.instances() if isinstance(one.first, Observation)]
    for number in sorted(_stated_numbers(probe.design.hint) & constants - known):
        if 2 * sum(number in first for first in firsts) < len(firsts):
            return str(number)
    return ""


def _stated_numbers(text: str) -> set[int]:
    """Whole numbers in digits or, below a hundred, in words."""
    words = re.findall(r"[a-z]+", text.lower().replace("-", " "))
    spelt = {NUMBER_WORDS[word] for word in words if word in NUMBER_WORDS}
    spelt |= {
        NUMBER_WORDS[ten] + NUMBER_WORDS[one]
        for ten, one in pairwise(words)
        if NUMBER_WORDS.get(ten, 0) >= 20 and 0 < NUMBER_WORDS.get(one, 0) < 10
    }
    return spelt | {int(digits) for digits in re.findall(r"(?<![\w.])\d{1,9}(?![\w.]\d)", text)}


def _everything_shown(probe: Probe) -> str:
    """What an agent may have read anywhere: observations of all plays and the tools' descriptions."""
    seen = {part for play in probe.plays for shown in play.observations for part in (shown.text, *shown.results)}
    return " ".join(
        [*map(str, probe.environment.description.tools), *sorted(seen, key=lambda part: (len(part), part))]
    )[:MAX_SHOWN_CHARS]


def _stands_in(value: str, text: str) -> bool:
    return _count(value, text) > 0


def _count(value: str, text: str) -> int:
    return len(re.findall(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE))


def _telling(value: str) -> bool:
    return len(value) >= (3 if value.lstrip("-").isdecimal() else 4)


def _spelt(plan: Sequence[Action]) -> str:
    calls = [str(value) for action in plan for call in action.calls for value in call.arguments.values()]
    return " ".join([*(action.text for action in plan), *calls])
