"""Gates on the steps of a tool task: each request needs calls of its own, each call is needed, each tool works."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from openspade.sandbox.failures import ProgramFault
from openspade.tokens import JSON
from openspade.types import Action, Problem, ToolCall
from openspade.verifier.gate import Judgement, told
from openspade.verifier.players.probe import Cast, Instance, Play, Probe, Script
from openspade.verifier.players.words import words_of

Place = tuple[str, int]
"""A call of the solution: the tool, and how many calls of it stand before."""

_FALLBACK: dict[str, JSON] = {"string": "a", "integer": 1, "number": 1.0, "boolean": True, "array": [], "object": {}}


async def stepwise(probe: Probe) -> Judgement:
    """Tools: no request is met before its own calls, each is met by them, and every tool can be used."""
    if not probe.is_tool:
        return None
    for play in (await probe.oracle())[::2]:
        problem = _step_problem(play)
        if problem:
            return problem
    idle = await _unusable_tools(probe)
    if idle:
        message = f"No valid call of {idle[0]} succeeds: make it usable, or leave it out."
        return Problem(gate="stepwise", message=message, evidence=f"unusable: {', '.join(idle)}")
    return None


async def minimal(probe: Probe) -> Judgement:
    """Tools: no call of the solution that changes something can be left out."""
    if not probe.is_tool:
        return None
    casts: list[Cast] = []
    dropped: list[Place] = []
    for one in (await probe.instances())[: probe.config.seeds]:
        for place, plan in shortened(one):
            casts.append(Cast(seed=one.seed, player=Script(actions=plan, name="solution without a call")))
            dropped.append(place)
    wins = Counter(key for key, play in zip(dropped, await probe.play(casts), strict=True) if play.solved)
    told_by = _results_by_call((await probe.oracle())[::2])
    by_tool: dict[str, set[str]] = defaultdict(set)
    for (name, _), answers in told_by.items():
        by_tool[name] |= answers
    for place, count in wins.items():
        if 2 * count > max(dropped.count(place), probe.config.seeds // 2) and not _tells(
            told_by[place], by_tool[place[0]]
        ):
            message = f"The solution wins without its call of {place[0]}: meet no request before all its work is done."
            evidence = f"call {place[1] + 1} of {place[0]} left out, {count} instances won"
            return Problem(gate="minimal", message=message, evidence=evidence)
    pointless = _pointless_call(wins, (await probe.oracle())[::2])
    if pointless:
        message = f"The call of {pointless} tells nothing that was not said before: let what it tells be looked up."
        return Problem(gate="minimal", message=message, evidence="in every solved instance")
    return None


def _pointless_call(unneeded: Mapping[Place, int], plays: Sequence[Play]) -> str:
    """A call without which the solution wins, all of whose answer that differs between instances was said before."""
    answers: dict[Place, list[tuple[set[str], set[str]]]] = defaultdict(list)
    for play in plays:
        said = set(words_of(str(play.first)))
        uses: Counter[str] = Counter()
        for action, result in play.moves:
            for call, answer in zip(action.calls, result.observation.results, strict=False):
                answers[call.name, uses[call.name]].append((words := set(words_of(answer)), said & words))
                uses[call.name] += 1
                said |= words
            said |= set(words_of(result.observation.text))
    telling: set[str] = set()
    for place, heard in answers.items():
        always = set.intersection(*(words for words, _ in heard))
        news = [(words - always, known) for words, known in heard]
        if place not in unneeded or len(news) < 2 or not all(new and new <= known for new, known in news):
            # To look again, after things may have changed, is no fault of a tool that told something before.
            telling.add(place[0])
    return next((name for name, _ in answers if name not in telling), "")


def _tells(answers: set[str], of_the_tool: set[str]) -> bool:
    """Whether a call is made for what it says: the solution knows it, the agent must ask.

    Answers that differ between calls or instances say something; so do lists, records, numbers and errors.
    """
    said = next(iter(answers), "")
    return len(of_the_tool) > 1 or said.startswith(("Error: ", "{", "[")) or any(map(str.isdigit, said))


def _step_problem(play: Play) -> Problem | None:
    met = 0
    for turn, info in enumerate(play.infos):
        satisfied, now = info.get("satisfied"), info.get("met")
        if not isinstance(satisfied, list) or not isinstance(now, int):
            return None
        action = told(play.moves[turn - 1][0]) if turn else "reset"
        where = f"seed {play.seed}, after {action}"
        if now > met + 1:
            message = f"One message meets requests {met + 1} and {met + 2}: each must need calls of its own."
            return Problem(gate="stepwise", message=message, evidence=where)
        if len(satisfied) > now and satisfied[now]:
            message = (
                f"Request {now + 1} is met already when it is made: its done= must be false until its calls are made."
            )
            return Problem(gate="stepwise", message=message, evidence=where)
        met = now
    return None


async def _unusable_tools(probe: Probe) -> list[str]:
    """Tools that answered every call so far with an error, calls made up from known values included."""
    names = [_name(schema) for schema in probe.environment.description.tools]
    waiting = set(names) - {"decline"} - _usable(probe.plays)
    if waiting:
        calls = _made_up_calls(probe, waiting)
        seeds = probe.seeds(probe.config.seeds)
        await probe.play(
            [Cast(seed=seed, player=Script(actions=calls, name="made-up calls")) for seed in seeds if calls], watch=True
        )
        # Some tools work only on what others have done: the same calls again, behind most of a solution.
        behind = [
            Cast(seed=one.seed, player=Script(actions=(*one.plan[:-1], *calls), name="made-up calls behind a solution"))
            for one in (await probe.instances())[: probe.config.seeds]
            if not isinstance(one.plan, ProgramFault) and waiting - _usable(probe.plays)
        ]
        await probe.play(behind)
        waiting -= _usable(probe.plays)
    return [name for name in names if name in waiting]


def _usable(plays: Sequence[Play]) -> set[str]:
    usable: set[str] = set()
    for play in plays:
        for action, result in play.moves:
            for call, answer in zip(action.calls, result.observation.results, strict=False):
                if not answer.startswith("Error: "):
                    usable.add(call.name)
    return usable


def _made_up_calls(probe: Probe, names: set[str]) -> tuple[Action, ...]:
    """Calls of these tools with argument values that occur in solutions under the same name or of the same type."""
    known: dict[str, list[JSON]] = defaultdict(list)
    for play in probe.plays:
        for action, _ in play.moves if play.player.name == "solution" else ():
            for call in action.calls:
                for name, value in call.arguments.items():
                    known[name].append(value)
                    known[f"a {type(value).__name__}"].append(value)
    functions = [schema["function"] for schema in probe.environment.description.tools]
    wanted = [function for function in functions if isinstance(function, dict) and function["name"] in names]
    return tuple(
        Action(text="", calls=(ToolCall(name=str(function["name"]), arguments=_arguments(function, known, attempt)),))
        for function in wanted
        for attempt in range(max(1, probe.design.max_turns // len(wanted)))
    )


def _arguments(function: dict[str, JSON], known: dict[str, list[JSON]], attempt: int) -> dict[str, JSON]:
    parameters = function["parameters"]
    properties = parameters["properties"] if isinstance(parameters, dict) else None
    arguments: dict[str, JSON] = {}
    for name, schema in properties.items() if isinstance(properties, dict) else ():
        kind = str(schema.get("type", "string")) if isinstance(schema, dict) else "string"
        enum = schema.get("enum") if isinstance(schema, dict) else None
        fallback = _FALLBACK.get(kind)
        values = enum if isinstance(enum, list) else known[name] or known[f"a {type(fallback).__name__}"] or [fallback]
        arguments[name] = values[attempt % len(values)]
    return arguments


def _name(schema: object) -> str:
    function = schema.get("function") if isinstance(schema, dict) else None
    return str(function.get("name")) if isinstance(function, dict) else ""


def shortened(one: Instance) -> list[tuple[Place, tuple[Action, ...]]]:
    """By call: the plan without each of its calls in turn; a call and its repetition go together."""
    if isinstance(one.plan, ProgramFault):
        return []
    shorter: list[tuple[Place, tuple[Action, ...]]] = []
    uses: Counter[str] = Counter()
    for index, action in enumerate(one.plan):
        for name, call in {repr(call): (call.name, call) for call in action.calls}.values():
            kept = tuple(other for other in action.calls if other != call)
            rest = (replace(action, calls=kept),) if kept or action.text else ()
            if name != "decline":
                shorter.append(((name, uses[name]), one.plan[:index] + rest + one.plan[index + 1 :]))
            uses[name] += 1
    return shorter


def _results_by_call(plays: Sequence[Play]) -> dict[Place, set[str]]:
    told_by: dict[Place, set[str]] = defaultdict(set)
    for play in plays:
        uses: Counter[str] = Counter()
        for action, result in play.moves:
            pairs = zip(action.calls, result.observation.results, strict=False)
            for name, answer in {repr(call): (call.name, answer) for call, answer in pairs}.values():
                told_by[(name, uses[name])].add(answer)
                uses[name] += 1
    return told_by
