"""Given worlds: their programs play behind the same walls, and no other program gets there."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from openspade.errors import SandboxError
from openspade.roles.source import read_design
from openspade.sandbox.failures import ProgramError
from openspade.sandbox.given_worlds import World, worlds_of
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.settings.worlds import GatesConfig
from openspade.types import Design, Draft, StepResult
from openspade.verifier.gates.novelty import Nothing
from openspade.verifier.ladder import Verifier
from tests.fakes import a_brief
from tests.sandbox import arena
from tests.sandbox.programs import COUNTER, say

RLVE = "openspade.given.rlve"
SORTING = f'''
from openspade_env import Game
from {RLVE} import Puzzle

class Sorting(Puzzle, Game):
    """RLVE: Sorting."""
    skill = "sorting"
    hint = "No hint is known."
    max_turns = 1
    environment = "Sorting"
    difficulty = 3
'''
needs_rlve = pytest.mark.skipif(find_spec("Gym") is None, reason="needs the extra rlve")
pytestmark = pytest.mark.asyncio(loop_scope="module")


@needs_rlve
async def test_a_program_of_a_world_plays(pool: SandboxPool) -> None:
    async with await pool.open(SORTING, 2) as environment:
        await environment.reset([1, 2])
        plan = (await environment.plan())[0]
        assert isinstance(plan, list)
        steps = await environment.step({0: plan[0], 1: say("1 2 3")[0]})
        assert [step.reward for step in steps.values() if isinstance(step, StepResult)] == [1.0, 0.0]
        assert environment.info(0) == {"score": 1.0}


@needs_rlve
@pytest.mark.parametrize("name", ["Differentiate", "Integral", "PolynomialMinimum", "KnightsAndKnaves"])
async def test_what_a_package_does_only_when_played_works_in_a_child(pool: SandboxPool, name: str) -> None:
    async with await pool.open(SORTING.replace('"Sorting"', f'"{name}"')) as environment:
        await environment.reset([3])
        plan = (await environment.plan())[0]
        assert isinstance(plan, list)
        result = (await environment.step({0: plan[0]}))[0]
        assert isinstance(result, StepResult) and result.reward == 1.0


@needs_rlve
async def test_its_instances_are_the_same_under_every_hash_seed(pool: SandboxPool) -> None:
    first, second = [await pool.transcript(SORTING, 5, [], hash_seed=hash_seed) for hash_seed in (0, 1)]
    assert first == second


@needs_rlve
async def test_its_children_have_the_walls_of_all_others(pool: SandboxPool) -> None:
    async with await pool.open(SORTING) as world, await pool.open(COUNTER) as ordinary:
        assert world.link.walls == ordinary.link.walls == pool.walls


@needs_rlve
@pytest.mark.parametrize("name", ["numpy", "sympy", "Gym", "os", "openspade.sandbox.wire"])
async def test_a_world_lets_no_other_module_in(pool: SandboxPool, name: str) -> None:
    with pytest.raises(ProgramError, match="is not available to environments"):
        await pool.open(f"import {name}\n{SORTING}")


@pytest.mark.parametrize("line", [f"__import__('{RLVE}')", "from openspade.given import rlve"])
async def test_a_program_that_does_not_say_so_has_no_world(pool: SandboxPool, line: str) -> None:
    before = pool.zygote_pids
    with pytest.raises(ProgramError, match="is not available to environments"):
        await pool.open(f"{line}\n{COUNTER}")
    assert pool.zygote_pids == before


async def test_a_draft_that_names_a_world_starts_none(pool: SandboxPool) -> None:
    design, before = read_design(SORTING), pool.zygote_pids
    assert isinstance(design, Design)
    draft = Draft(id="d", brief=a_brief(), text=SORTING, design=design)
    (verdict,) = await Verifier(pool, Nothing(), GatesConfig()).verify([draft])
    assert "openspade.given.rlve may not be imported" in verdict.problems[0].message
    assert pool.zygote_pids == before


async def test_a_package_that_is_not_there_is_named_with_its_remedy() -> None:
    with pytest.raises(SandboxError, match=r"needs no_such_package, .*pip install 'openspade\[rlve\]'"):
        World(packages=("json", "no_such_package"), extra="rlve").places(RLVE)


async def test_worlds_are_read_off_a_program() -> None:
    assert worlds_of(f"if True:\n  import {RLVE} as r\nfrom openspade.given.reasoning_gym import Asked") == (
        "openspade.given.reasoning_gym",
        RLVE,
    )
    assert worlds_of("from openspade.given.os import system\nfrom openspade.given import rlve") == ()


async def test_a_text_that_looks_like_an_import_opens_no_world() -> None:
    assert worlds_of(f'"""\nfrom {RLVE} import Puzzle\n"""\n# import {RLVE}') == ()
    assert worlds_of(f"import {RLVE}\n{'(' * 10_000}") == ()


@needs_rlve
async def test_no_attack_succeeds_from_a_world() -> None:
    reports = await arena.run_all("all", arena.all_attacks(), RLVE)
    assert len(reports) > 80
    assert {report.attack: report.succeeded for report in reports if report.succeeded} == {}
