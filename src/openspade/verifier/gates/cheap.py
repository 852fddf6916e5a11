"""Gates on cheap wins: what players without understanding earn, and whether answers are compared by value.

An attacker may earn `gates.floor` beyond chance. Chance is what a blind guess earns: 1/k for k different solutions
among 32 seeds, or 1/m where every solution is one of the m options that its own observation lists; at most a half. An
attacker above floor + chance on the gate seeds plays 64 instances, and fails the design if it is still above, by more
than one standard error of that many plays.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from openspade.openspade_env import as_number
from openspade.sandbox.failures import ProgramFault
from openspade.types import Action, Observation, Problem
from openspade.verifier.gate import Judgement, short, told
from openspade.verifier.players.attackers import Constant, game_attackers, moves_of, tool_attackers
from openspade.verifier.players.probe import Cast, Instance, Play, Player, Probe
from openspade.verifier.players.words import numbers_of, words_of

DECIDING_SEEDS = 64
SUSPECTS = 4
MAX_CHANCE = 0.5


@dataclass(frozen=True, kw_only=True)
class Winner:
    """An attacker that earns too much, and a play in which it did."""

    play: Play
    mean: float
    plays: int
    allowed: float


async def floor_gap(probe: Probe) -> Judgement:
    """No attacker earns more than the floor beyond chance."""
    plans = await probe.solved_plans()
    tools = [str(f["name"]) for s in probe.environment.description.tools if isinstance(f := s["function"], dict)]
    attackers = tool_attackers(plans, tools) if probe.is_tool else game_attackers(plans)
    winner = await beats_floor(probe, attackers)
    if isinstance(winner, str):
        return winner
    play = winner.play
    message = (
        f"A player that understands nothing ({play.player.name}) earns {winner.mean:.2f} on average, where "
        f"{winner.allowed:.2f} are allowed: make its trick fail."
    )
    action = told(play.moves[-1][0]) if play.moves else "none"
    return Problem(
        gate="floor_gap", message=message, evidence=f"seed {play.seed}, action {action}; {winner.plays} plays"
    )


async def beats_floor(probe: Probe, attackers: Sequence[Player]) -> Winner | str:
    """The best attacker above what is allowed, or a note on the best one below it."""
    instances = await probe.instances()
    allowed = probe.config.floor + chance(instances)
    first = await _attack(probe, attackers, instances[: probe.config.seeds], instances)
    worst_first = sorted(attackers, key=lambda player: -_mean(first[player.name]))
    suspects = [player for player in worst_first if _mean(first[player.name]) > allowed][:SUSPECTS]
    best = max(first.values(), key=_mean)
    if not suspects:
        return f"best attacker {best[0].player.name}: {_mean(best):.2f}"
    count = max(DECIDING_SEEDS, probe.config.seeds)
    more = [Instance(seed=seed, first=Observation(text=""), plan=()) for seed in probe.seeds(count)]
    margin = sqrt(allowed * max(0.0, 1 - allowed) / count)
    second = await _attack(probe, suspects, more, instances)
    worst = max(second.values(), key=_mean)
    if _mean(worst) <= allowed + margin:
        return f"best attacker {worst[0].player.name}: {_mean(worst):.2f} of {count} plays"
    shown = max(worst, key=lambda play: play.earned)
    return Winner(play=shown, mean=_mean(worst), plays=count, allowed=allowed + margin)


def chance(instances: Sequence[Instance]) -> float:
    """What a blind guess earns here, at most a half."""
    known = [
        one for one in instances if not isinstance(one.plan, ProgramFault) and not isinstance(one.first, ProgramFault)
    ]
    solutions = {str(one.plan) for one in known}
    if not solutions:
        return 0.0
    listed = [_listed_options(one, known) for one in known]
    options = sum(1 / count for count in listed if count) / len(listed) if all(listed) else 0.0
    return min(MAX_CHANCE, max(1 / len(solutions), options))


def _listed_options(one: Instance, known: Sequence[Instance]) -> int:
    """How many options the observation lists when the answer is one of them; 0 when it is not."""
    if isinstance(one.plan, ProgramFault) or isinstance(one.first, ProgramFault) or len(one.plan) != 1:
        return 0
    answer = one.plan[0].text.strip()
    numbers = {as_number(number) for number in numbers_of(one.first.text)} - {None}
    if as_number(answer) in numbers:
        return len(numbers)
    answers = {other.plan[0].text.strip() for other in known if not isinstance(other.plan, ProgramFault) and other.plan}
    shown = set(words_of(one.first.text))
    return len(shown & answers) if answer in shown else 0


async def _attack(
    probe: Probe, attackers: Sequence[Player], targets: Sequence[Instance], sources: Sequence[Instance]
) -> dict[str, list[Play]]:
    elsewhere = [_moves_elsewhere(sources, target.seed) for target in targets]
    casts = [
        Cast(
            seed=target.seed,
            player=player,
            foreign=_other_plan(sources, target.seed, index),
            elsewhere=elsewhere[index],
        )
        for player in attackers
        for index, target in enumerate(targets)
    ]
    by_name: dict[str, list[Play]] = defaultdict(list)
    for play in await probe.play(casts):
        by_name[play.player.name].append(play)
    return by_name


def _other_plan(sources: Sequence[Instance], seed: int, index: int) -> tuple[Action, ...]:
    others = [one.plan for one in sources if one.seed != seed and not isinstance(one.plan, ProgramFault)]
    return others[(index + 1) % len(others)] if others else ()


def _moves_elsewhere(sources: Sequence[Instance], seed: int) -> tuple[Action, ...]:
    return moves_of(one.plan for one in sources if one.seed != seed and not isinstance(one.plan, ProgramFault))


def _mean(plays: Sequence[Play]) -> float:
    return sum(play.earned for play in plays) / len(plays)


# --- equal answers ------------------------------------------------------------------------------


async def equivalent_answers(probe: Probe) -> Judgement:
    """Games of one answer: a right answer respelt is right, and a right answer with a wrong one beside it is wrong."""
    instances = (await probe.instances())[: probe.config.seeds]
    single = [one for one in instances if not isinstance(one.plan, ProgramFault) and len(one.plan) == 1]
    answers = {one.seed: one.plan[0].text for one in single if not isinstance(one.plan, ProgramFault)}
    if probe.is_tool or len(answers) < len(instances) or not await decides_at_once(probe, instances):
        return None
    spellings = _spellings(answers)
    plays = await probe.play([spelling.cast for spelling in spellings])
    counts = Counter(spelling.name for spelling in spellings)
    wrong: dict[str, list[Play]] = defaultdict(list)
    for spelling, play in zip(spellings, plays, strict=True):
        if play.solved != spelling.right:
            wrong[spelling.name].append(play)
    for name, failures in wrong.items():
        if 2 * len(failures) > counts[name]:
            return _comparison_problem(name, failures[0])
    return None


@dataclass(frozen=True, kw_only=True)
class Spelling:
    """An answer written in a way that should be right, or should be wrong."""

    name: str
    right: bool
    cast: Cast


def _spellings(answers: Mapping[int, str]) -> list[Spelling]:
    spellings: list[Spelling] = []
    others = [*list(answers.values())[1:], next(iter(answers.values()))]
    for (seed, answer), other in zip(answers.items(), others, strict=True):
        texts = [(name, True, text) for name, text in _respelt(list(answers.values()), answer).items()]
        texts += [(name, False, text) for name, text in _overfull(answer, other).items()]
        for name, right, text in texts:
            spellings.append(Spelling(name=name, right=right, cast=Cast(seed=seed, player=Constant(text=text))))
    return spellings


def _comparison_problem(name: str, play: Play) -> Problem:
    text = play.player.text if isinstance(play.player, Constant) else ""
    if play.solved:
        message = (
            f"A right answer with {name} is accepted: compare whole answers with same_answer(), not parts of them."
        )
    else:
        message = f"A right answer with {name} is refused: compare with same_answer(..., kind=...)."
    return Problem(gate="equivalent_answers", message=message, evidence=f"seed {play.seed}, action {short(text)!r}")


async def decides_at_once(probe: Probe, instances: Sequence[Instance]) -> bool:
    """Whether the first action ends the episode, whatever it is."""
    plays = await probe.play([Cast(seed=one.seed, player=Constant(text="?!")) for one in instances])
    return all(play.ended and len(play.moves) == 1 for play in plays)


def _respelt(answers: Sequence[str], answer: str) -> dict[str, str]:
    spellings = {"blanks around it": f"  {answer} "}
    if all(re.fullmatch(r"-?(0|[1-9]\d{0,5})", one.strip()) for one in answers):
        spellings["a decimal point (7.0 for 7)"] = f"{answer.strip()}.0"
    if all(re.fullmatch(r"-?\d{1,6}\.\d*0", one.strip()) for one in answers):
        spellings["fewer zeros at its end"] = answer.strip().rstrip("0").rstrip(".")
    letters = "".join(answers)
    if letters.islower():
        spellings["capital letters"] = answer.upper()
    elif letters.isupper():
        spellings["small letters"] = answer.lower()
    if "," in answer:
        parts = [part.strip() for part in answer.split(",")]
        spellings["other blanks between its items"] = ",".join(parts) if ", " in answer else ", ".join(parts)
    return spellings


def _overfull(answer: str, other: str) -> dict[str, str]:
    if answer == other:
        return {}
    return {
        "another answer beside it": f"{answer} or {other}",
        "another answer after it": f"{answer}, {other}",
        "a word before it": f"not {answer}",
    }
