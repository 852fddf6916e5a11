"""Reasoning Gym as a given world: its own scorers judge frozen and generated questions behind the walls."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from openspade.given.rg_pool import program
from openspade.given.verdicts import LOOSE
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.types import Observation, StepResult
from tests.sandbox.programs import say

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(find_spec("reasoning_gym") is None, reason="needs reasoning-gym"),
]
# As long as a suite's longest question and longest answer, which are longer than what other programs may send.
LONG = 30_000


def frozen(dataset: str, *, question: str = "?", answer: str = "True", **metadata: object) -> str:
    entry = {"question": question, "answer": answer, "metadata": metadata}
    return f'''
from openspade.given.reasoning_gym import Frozen
from openspade_env import Game

class Asked(Frozen, Game):
    """One question."""
    skill = "pattern recognition"
    hint = "No hint is known."
    max_turns = 1
    dataset = {dataset!r}
    questions = [{entry!r}]
'''


async def verdicts(pool: SandboxPool, source: str, *answers: str) -> list[float | str]:
    """What each answer is paid, or what is told where it is paid only loosely."""
    async with await pool.open(source, instances=len(answers)) as environment:
        await environment.reset(range(len(answers)))
        steps = await environment.step({place: say(answer)[0] for place, answer in enumerate(answers)})
    results = [step for step in steps.values() if isinstance(step, StepResult)]
    assert len(results) == len(answers)
    return [LOOSE if step.observation.text == LOOSE else step.reward for step in results]


async def test_an_answer_is_read_between_tags_or_whole(pool: SandboxPool) -> None:
    answers = ("<answer>1</answer>, no: <answer> 42 </answer>", " 42\n", "It is 42", "42 <answer>7</answer>", "")
    assert await verdicts(pool, frozen("lcm", answer="42"), *answers) == [1.0, 1.0, 0.0, 0.0, 0.0]


async def test_any_answer_that_upstream_takes_wins(pool: SandboxPool) -> None:
    source = frozen("simple_integration", answer="x**2 + C", variable="x", integrand="2*x")
    assert await verdicts(pool, source, "x**2 + C", "x*x + 3", "(2*x)**2/4", "x**3", "2*x") == [1.0, 1.0, 1.0, 0.0, 0.0]


async def test_what_is_won_by_a_hole_is_said_to_be(pool: SandboxPool) -> None:
    assert await verdicts(pool, frozen("game_of_life_halting"), "True", "False", "banana", "") == [
        1.0,
        LOOSE,
        LOOSE,
        0.0,
    ]
    puzzle = frozen("puzzle24", answer="2*3*4*1", numbers=[1, 2, 3, 4])
    assert await verdicts(pool, puzzle, "2*3*4*1", "4*6*1*1", "2*3") == [1.0, LOOSE, 0.0]


async def test_an_answer_that_would_run_is_wrong_and_runs_nothing(pool: SandboxPool) -> None:
    source = frozen("countdown", answer="3 + 4", numbers=[3, 4], target=7)
    tricks = ("9**9**9**9", "(lambda: 7)()", "().__class__.__base__.__subclasses__()[3] + 4", "[" * 3000, "3 + 4")
    assert await verdicts(pool, source, *tricks) == [0.0, 0.0, 0.0, 0.0, 1.0]


async def test_a_wrong_integral_is_seen_to_be_without_simplifying(pool: SandboxPool) -> None:
    wanted = {"variable": "x", "integrand": "-6*sin(2*x + 10)*cos(2*x + 10)**4"}
    source = frozen("intermediate_integration", answer="3*cos(2*x + 10)**5/5 + C", **wanted)
    answers = ("3*cos(2*x + 10)**5/5 + C", "-3*cos(4*x + 2)**2/2 + C", "-sin(4*x + 1)**3/3", "x", "sin(", "x**y")
    assert await verdicts(pool, source, *answers) == [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]


async def test_long_questions_and_answers_cross_the_wall(pool: SandboxPool) -> None:
    source = frozen("lcm", question="?" * LONG, answer="7" * LONG)
    async with await pool.open(source) as environment:
        (first,) = await environment.reset([0])
        plan = (await environment.plan())[0]
    assert isinstance(first, Observation)
    assert isinstance(plan, list)
    assert (len(first.text), len(plan[0].text)) == (LONG, LONG)


# One of each kind: needs numpy, sympy, a word list, a module that is imported late, fonts, and our own search.
@pytest.mark.parametrize(
    "dataset", ["pool_matrix", "polynomial_equations", "word_sorting", "rearc", "figlet_font", "rush_hour"]
)
async def test_a_question_is_made_by_its_seed_alone_and_won_by_its_solution(pool: SandboxPool, dataset: str) -> None:
    async with await pool.open(program(dataset, 1, choice=7), instances=3) as environment:
        firsts = await environment.reset([5, 6, 5])
        plans = await environment.plan()
        steps = await environment.step({place: plan[0] for place, plan in plans.items() if isinstance(plan, list)})
    assert firsts[0] == firsts[2] != firsts[1]
    assert [step.reward for step in steps.values() if isinstance(step, StepResult)] == [1.0, 1.0, 1.0]


async def test_designs_of_a_level_differ_and_a_higher_level_is_harder(pool: SandboxPool) -> None:
    first = [
        await pool.transcript(program("chain_sum", level, choice), 0, []) for level, choice in ((1, 1), (1, 2), (4, 1))
    ]
    texts = [shown[0].text for shown in first if isinstance(shown[0], Observation)]
    assert texts[0] != texts[1]
    assert len(texts[2]) > len(texts[0])
