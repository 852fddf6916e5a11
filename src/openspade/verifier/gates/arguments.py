"""The gate on a tool task's criteria: a solving call with another argument must not win.

A criterion that looks only at half of what was asked for is met by wrong calls, and a policy learns to be careless.
What counts is a call that the solution cannot do without, and an argument that is asked for: a value that was shown, or
a number or a choice. A text that only the solution's author would write is free.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from openspade.sandbox.failures import ProgramFault
from openspade.tokens import JSON
from openspade.types import Action, Problem, ToolCall
from openspade.verifier.gate import Judgement, short
from openspade.verifier.gates.steps import Place, shortened
from openspade.verifier.players.probe import Cast, Instance, Probe, Script

SEEDS = 4
FREE_WORDS = 6
"""A text of so many words is prose: no criterion can ask for it to the letter."""


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """A solution with one argument of one call changed."""

    place: Place
    argument: str
    old: JSON
    new: JSON
    cast: Cast


async def arguments(probe: Probe) -> Judgement:
    """Tools: no call that meets a request may have another argument than the one that was asked for."""
    if not probe.is_tool:
        return None
    instances = [one for one in await probe.instances() if not isinstance(one.plan, ProgramFault)]
    needed = await _needed_calls(probe, instances[:SEEDS])
    shown = {play.seed: _shown(play.observations) for play in (await probe.oracle())[::2]}
    mutants = [
        mutant for one in instances[:SEEDS] for mutant in _mutants(one, instances, needed, shown.get(one.seed, ""))
    ]
    tried: dict[tuple[Place, str], list[bool]] = defaultdict(list)
    shows: dict[tuple[Place, str], Mutant] = {}
    for mutant, play in zip(mutants, await probe.play([mutant.cast for mutant in mutants]), strict=True):
        tried[mutant.place, mutant.argument].append(play.solved)
        if play.solved:
            shows[mutant.place, mutant.argument] = mutant
    for key, wins in tried.items():
        # One value that is right as well proves nothing: several rooms may be free.
        if len(wins) > 1 and all(wins):
            (tool, _), argument = key
            found = shows[key]
            message = (
                f"The solution wins with any {argument} in its call of {tool}: done= must look at all that is asked."
            )
            evidence = (
                f"seed {found.cast.seed}: {argument}={short(repr(found.new), 60)} for {short(repr(found.old), 60)}"
            )
            return Problem(gate="arguments", message=message, evidence=evidence)
    return f"{len(mutants)} changed arguments"


async def _needed_calls(probe: Probe, instances: Sequence[Instance]) -> set[Place]:
    """Calls without which the solution never wins."""
    tries = [
        (place, Cast(seed=one.seed, player=Script(actions=plan, name="solution without a call")))
        for one in instances
        for place, plan in shortened(one)
    ]
    plays = await probe.play([cast for _, cast in tries])
    wins = Counter(place for (place, _), play in zip(tries, plays, strict=True) if play.solved)
    return {place for place, _ in tries if not wins[place]}


def _mutants(one: Instance, instances: Sequence[Instance], needed: set[Place], shown: str) -> Iterator[Mutant]:
    assert not isinstance(one.plan, ProgramFault)
    known = _known_values(instances)
    uses: Counter[str] = Counter()
    for index, action in enumerate(one.plan):
        for call in {repr(call): call for call in action.calls}.values():
            place = (call.name, uses[call.name])
            uses[call.name] += 1
            for argument, value in call.arguments.items() if place in needed and call.name != "decline" else ():
                if not _is_asked_for(value, shown):
                    continue
                for new in _others(value, known[call.name, argument]):
                    plan = _with(one.plan, index, call, {**call.arguments, argument: new})
                    cast = Cast(seed=one.seed, player=Script(actions=plan, name="solution with another argument"))
                    yield Mutant(place=place, argument=argument, old=value, new=new, cast=cast)


def _known_values(instances: Sequence[Instance]) -> Mapping[tuple[str, str], list[JSON]]:
    known: dict[tuple[str, str], list[JSON]] = defaultdict(list)
    for one in instances:
        for action in () if isinstance(one.plan, ProgramFault) else one.plan:
            for call in action.calls:
                for argument, value in call.arguments.items():
                    if value not in known[call.name, argument]:
                        known[call.name, argument].append(value)
    return known


def _is_asked_for(value: JSON, shown: str) -> bool:
    if isinstance(value, str):
        return len(value.split()) < FREE_WORDS and value.casefold() in shown
    return value is not None


def _others(value: JSON, known: Sequence[JSON]) -> list[JSON]:
    """At most three values in its place: another instance's, and neighbours."""
    elsewhere = [other for other in known if type(other) is type(value) and other != value][:1]
    return [*elsewhere, *_neighbours(value)][:3]


def _neighbours(value: JSON) -> list[JSON]:
    if isinstance(value, bool):
        return [not value, not value]
    if isinstance(value, int | float):
        return [value + 1, value * 3 + 7]
    if isinstance(value, str):
        return [f"{value}x", value[:-1] or "y"]
    if isinstance(value, list):
        return [value[:-1], [*value, *value[-1:]]] if value else []
    if isinstance(value, dict):
        changed: list[JSON] = [{**value, key: new} for key, old in value.items() for new in _neighbours(old)[:1]]
        return changed[:3]
    return []


def _with(plan: Sequence[Action], index: int, call: ToolCall, arguments: Mapping[str, JSON]) -> tuple[Action, ...]:
    calls = tuple(replace(one, arguments=arguments) if one == call else one for one in plan[index].calls)
    return (*plan[:index], replace(plan[index], calls=calls), *plan[index + 1 :])


def _shown(observations: Sequence[object]) -> str:
    return " ".join(map(str, observations)).casefold()
