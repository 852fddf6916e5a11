"""Gates on leaks: the answer must not stand in what is shown, and the hint must be no answer.

Single coincidences prove nothing: "add 1" in a hint is no leak because one instance's answer is 1. What counts is an
answer that differs between instances and yet stands in the same place of the observation, or a value that only one
instance has.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from openspade.sandbox.failures import ProgramFault
from openspade.types import Action, Problem
from openspade.verifier.gate import Judgement, short
from openspade.verifier.gates.cheap import beats_floor
from openspade.verifier.players.attackers import hint_players
from openspade.verifier.players.probe import Instance, Play, Probe, words_of

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


async def no_solution_leakage(probe: Probe) -> Judgement:
    """No fixed place of an observation holds the answer, at the start, after nonsense, or when turns run out."""
    instances = [one for one in await probe.instances() if not isinstance(one.first, ProgramFault)]
    if probe.is_tool:
        return _named_tools(probe, instances) or _told_plan(instances)
    by_seed = {one.seed: _answer(one.plan) for one in instances if not isinstance(one.plan, ProgramFault)}
    place = _leaking_place(
        [(one.first.text, by_seed.get(one.seed, "")) for one in instances if not isinstance(one.first, ProgramFault)]
    )
    if place:
        return _leak("The first observation", place, instances[0].seed)
    shown: dict[int, str] = {}
    for play in probe.plays:
        if play.player.name != "solution":
            shown[play.seed] = f"{shown.get(play.seed, '')} {_after_start(play)}"
    pairs = [(text, by_seed.get(seed, "")) for seed, text in shown.items()]
    place = _leaking_place(pairs, from_ends=False)
    return _leak("An observation after a wrong action", place, next(iter(shown))) if place else None


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
    for start in range(len(words) - len(answer) + 1 if answer else 0):
        if words[start : start + len(answer)] == answer:
            before = words[max(0, start - CONTEXT_WORDS) : start]
            if len(before) == CONTEXT_WORDS:
                found.append(f"after {' '.join(before)!r}")
            if from_ends:
                found.append(f"as word {start + 1}")
                found.append(f"as word {len(words) - start} from the end")
    return found


def _named_tools(probe: Probe, instances: Sequence[Instance]) -> Problem | None:
    functions = [schema["function"] for schema in probe.environment.description.tools]
    for name in [str(function["name"]) for function in functions if isinstance(function, dict)]:
        call = re.compile(rf"""(?<!\w){re.escape(name)}\(|["']name["']: ?["']{re.escape(name)}["']""")
        for one in instances:
            if not isinstance(one.first, ProgramFault) and call.search(one.first.text):
                message = f"The request spells out the call of {name}: let the user say what is wanted, not how."
                evidence = f"seed {one.seed}: {short(one.first.text)}"
                return Problem(gate="no_solution_leakage", message=message, evidence=evidence)
    return None


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
