"""The gate on luck: where one answer decides, what is shown must tell it.

The program is begun many times with chance of our own, in which one draw comes out differently and all others stay. Two
instances that show the same and want different answers, each wrong for the other, leave an agent nothing but a guess.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations

from openspade.roles.source import environment_class, methods, parse
from openspade.sandbox.base import Environment
from openspade.sandbox.failures import ProgramFault
from openspade.types import Action, Observation, Problem, StepResult
from openspade.verifier.gate import Judgement, short, told
from openspade.verifier.gates.cheap import decides_at_once
from openspade.verifier.players.probe import Probe

INSTANCES = 96
MIN_LUCKY = 2
"""Pairs of instances that must contradict each other: one may be a slip of the program's own text."""
NUDGED = """

import random as chance_of_the_gate


class NudgedChance(chance_of_the_gate.Random):
    def __init__(self, nudged, other):
        super().__init__(0)
        self.nudged, self.other, self.drawn = nudged, other, 0

    def one(self):
        self.drawn += 1
        return chance_of_the_gate.Random(f"{self.drawn}/{self.other if self.drawn == self.nudged else 0}")

    def random(self):
        return self.one().random()

    def getrandbits(self, k):
        return self.one().getrandbits(k)

    def _randbelow(self, n):
        return self.one().randrange(n)


class NudgedEnvironment(ENVIRONMENT):
    def start(self, rng):
        return super().start(NudgedChance(rng.randrange(1, 17), rng.randrange(5)))
"""

Begun = Mapping[int, tuple[str, tuple[Action, ...]]]


async def luck(probe: Probe) -> Judgement:
    """Games of one answer: the same first observation never has two answers that exclude each other."""
    tree = parse(probe.design.source)
    found = tree if isinstance(tree, Problem) else environment_class(tree)
    if probe.is_tool or isinstance(found, Problem) or "start" not in methods(found[0]):
        return None
    instances = (await probe.instances())[: probe.config.seeds]
    if probe.design.max_turns > 1 and not await decides_at_once(probe, instances):
        return None
    source = probe.design.source + NUDGED.replace("ENVIRONMENT", found[0].name)
    async with probe.variant(source, INSTANCES) as child:
        begun = await _begun(child, probe.seeds(INSTANCES))
        lucky = await _contradictions(child, begun, probe.seeds(INSTANCES))
    if len(lucky) < MIN_LUCKY:
        return None
    shown, one, other = lucky[0]
    message = "Two instances show the same and want different answers: show all that the answer depends on."
    evidence = f"{short(shown, 120)!r} wants {told(one)}, and elsewhere {told(other)}"
    return Problem(gate="luck", message=message, evidence=evidence)


async def _begun(child: Environment, seeds: Sequence[int]) -> Begun:
    firsts = await child.reset(seeds)
    plans = await child.plan(list(range(len(seeds))))
    return {
        index: (first.text, tuple(plan))
        for index, first in enumerate(firsts)
        if isinstance(first, Observation) and not isinstance(plan := plans[index], ProgramFault) and len(plan) == 1
    }


async def _contradictions(child: Environment, begun: Begun, seeds: Sequence[int]) -> list[tuple[str, Action, Action]]:
    """First observations with two answers, each of which loses where the other wins."""
    alike: dict[str, dict[Action, int]] = defaultdict(dict)
    for index, (shown, (answer,)) in begun.items():
        alike[shown].setdefault(answer, index)
    pairs = [(shown, *pair) for shown, answers in alike.items() for pair in list(combinations(answers.items(), 2))[:3]]
    crossed: list[tuple[int, Action]] = []
    for _, (one, at), (other, elsewhere) in pairs:
        crossed += [(at, other), (elsewhere, one)]
    won: list[bool] = []
    for index, action in crossed:
        await child.reset({index: seeds[index]})
        won.append(_wins((await child.step({index: action}))[index]))
    verdicts = zip(pairs, won[::2], won[1::2], strict=True)
    return [(shown, one, other) for (shown, (one, _), (other, _)), first, second in verdicts if not first | second]


def _wins(result: StepResult | ProgramFault) -> bool:
    # A fault says nothing about the answer: it is given the benefit of the doubt.
    return isinstance(result, ProgramFault) or result.reward >= 1
