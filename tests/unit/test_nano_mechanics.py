"""The nano world: every program loads, is solved by its own plan, and plays as its script says."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

import pytest

from openspade import openspade_env
from openspade.memory.search.similarity import fingerprint
from openspade.nano.all_mechanics import DECLINE, MECHANICS, VAGUE_HINTS
from openspade.nano.mechanic import Knobs, Mechanic, MechanicPlay
from openspade.roles.source import read_design
from openspade.rollout.tools import read_action
from openspade.types import Design

LEVELS = (1, 5, 9)
each_mechanic = pytest.mark.parametrize("mechanic", MECHANICS, ids=lambda one: one.name)
each_level = pytest.mark.parametrize("level", LEVELS)


@pytest.fixture(autouse=True)
def base_module() -> Iterator[None]:
    """Our own programs, so they may run here; elsewhere only the sandbox runs programs."""
    sys.modules["openspade_env"] = openspade_env
    yield
    del sys.modules["openspade_env"]


def knobs_of(mechanic: Mechanic, level: int, seed: int = 0) -> Knobs:
    return mechanic.draw(level, random.Random(f"{mechanic.name}/{level}/{seed}"))


def environment_of(mechanic: Mechanic, knobs: Knobs) -> type:
    namespace: dict[str, object] = {}
    exec(mechanic.program(knobs, hint=mechanic.hints[0]), namespace)
    return openspade_env.load(namespace)


def action_of(mechanic: Mechanic, reply: str) -> object:
    action = read_action(reply, mechanic.kind, (*mechanic.tools, DECLINE))
    if mechanic.kind == "game":
        return action.text
    calls = [{"name": c.name, "arguments": dict(c.arguments), "problem": c.problem} for c in action.calls]
    return {"text": action.text, "calls": calls}


def words_of(mechanic: Mechanic, observation: object) -> list[str]:
    if mechanic.kind == "game":
        return [str(observation)]
    return [*observation["results"], *([observation["text"]] if observation["text"] else [])]


def play(mechanic: Mechanic, environment: object, script: MechanicPlay) -> float:
    """The last reward; what the environment says must be what the script says."""
    reward = 0.0
    for exchange in script.exchanges:
        observation, reward, over, _, _ = environment.step(action_of(mechanic, exchange.reply))
        if not over and exchange.answers:
            assert words_of(mechanic, observation) == [message.content for message in exchange.answers]
    return reward


@each_mechanic
@each_level
def test_a_program_is_solved_by_its_own_plan(mechanic: Mechanic, level: int) -> None:
    environment = environment_of(mechanic, knobs_of(mechanic, level))()
    for seed in range(4):
        environment.reset(seed=seed)
        steps = [environment.step(action) for action in environment.plan()]
        assert steps[-1][1:3] == (1.0, True)


@each_mechanic
@each_level
def test_a_script_sees_what_the_program_shows(mechanic: Mechanic, level: int) -> None:
    knobs = knobs_of(mechanic, level)
    environment = environment_of(mechanic, knobs)()
    for manner in mechanic.manners:
        first, _ = environment.reset(seed=level)
        script = mechanic.play(knobs, random.Random(level), manner, random.Random(1))
        assert script.first == first
        play(mechanic, environment, script)


@each_mechanic
@each_level
def test_worked_steps_reach_the_right_answer(mechanic: Mechanic, level: int) -> None:
    knobs = knobs_of(mechanic, level)
    environment = environment_of(mechanic, knobs)()
    solved = 0.0
    for seed in range(6):
        environment.reset(seed=seed)
        script = mechanic.play(knobs, random.Random(seed), "worked", random.Random(1))
        solved += play(mechanic, environment, script) == 1.0
    # Halving finds one of at most 63 numbers in six guesses; wider ranges are a matter of luck.
    assert solved == 6 or mechanic.name == "hidden"


@each_mechanic
def test_an_environment_has_many_instances(mechanic: Mechanic) -> None:
    environment = environment_of(mechanic, knobs_of(mechanic, 1))()
    assert len({environment.reset(seed=seed)[0] for seed in range(32)}) >= 12


@each_mechanic
def test_the_tools_in_a_script_are_those_of_the_program(mechanic: Mechanic) -> None:
    described = openspade_env.describe(environment_of(mechanic, knobs_of(mechanic, 3)))
    wanted = [*mechanic.tools, DECLINE] if mechanic.kind == "tool" else []
    assert described["tools"] == wanted
    assert described["kind"] == mechanic.kind


@each_mechanic
def test_a_program_reads_as_a_design_with_its_hint(mechanic: Mechanic) -> None:
    design = read_design(mechanic.program(knobs_of(mechanic, 2), hint="Look twice.", skill="tool selection"))
    assert isinstance(design, Design)
    assert (design.hint, design.skill, design.kind) == ("Look twice.", "tool selection", mechanic.kind)


@each_mechanic
def test_a_mechanic_has_many_distinct_programs(mechanic: Mechanic) -> None:
    rng = random.Random(0)
    programs = [mechanic.program(mechanic.draw(rng.randint(1, 9), rng), hint="Go.") for _ in range(80)]
    assert len({fingerprint(program) for program in programs}) > 70


def test_hints_are_general() -> None:
    hints = [hint for mechanic in MECHANICS for hint in mechanic.hints] + [*VAGUE_HINTS]
    assert len(set(hints)) == len(hints)
    assert not any(character.isdigit() or character in '"\\{' for hint in hints for character in hint)
