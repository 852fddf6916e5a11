"""What players of an environment rely on: one message for many instances, and faults that stay where they belong."""

from __future__ import annotations

import asyncio

import pytest

from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.sandbox.host.sandboxed_environment import (
    ChildDied,
    DeadlineExceeded,
    ProgramError,
    ProgramFault,
)
from openspade.settings.worlds import SandboxConfig
from openspade.types import Observation, StepResult
from tests.sandbox.programs import COUNTER, CRASH, SPIN, say

pytestmark = pytest.mark.asyncio(loop_scope="module")

TOOLS = '''
from openspade_env import Request, ToolTask, tool

class Lamps(ToolTask):
    """Switch lamps."""
    skill = "state modification"
    hint = "One call a lamp."
    def start(self, rng):
        self.state = {"hall": False}
        self.requests = [Request("Light in the hall, please.", done=lambda state: state["hall"])]
    @tool
    def switch(self, lamp: str, on: bool) -> str:
        """Switch a lamp."""
        self.state[lamp] = on
        return "ok"
    def solution(self):
        return [[self.call("switch", lamp="hall", on=True)]]
'''


async def test_one_message_steps_the_instances_it_names(pool: SandboxPool) -> None:
    async with await pool.open(COUNTER, instances=3) as environment:
        first = await environment.reset([5, 6, 7])
        await environment.step(say("a", 0, 2))
        second = await environment.step(say("b", 2))
    assert first == [Observation(text=f"seed {seed}") for seed in (5, 6, 7)]
    assert second == {2: StepResult(observation=Observation(text="turn 2: b"), reward=0.25, terminated=False)}


async def test_reset_of_some_instances_leaves_the_others(pool: SandboxPool) -> None:
    async with await pool.open(COUNTER, instances=2) as environment:
        await environment.reset([1, 2])
        await environment.step(say("a", 0, 1))
        assert await environment.reset({1: 9}) == {1: Observation(text="seed 9")}
        steps = await environment.step(say("a", 0, 1))
    assert [step.observation.text for step in steps.values() if isinstance(step, StepResult)] == [
        "turn 2: a",
        "turn 1: a",
    ]


@pytest.mark.parametrize(
    ("move", "kind", "message"),
    [
        ("boom", "raised", "ValueError: as you wish"),
        ("exit", "raised", "SystemExit: 3"),
        ("reward nan", "reward_range", "a reward of nan"),
        ("reward inf", "reward_range", "a reward of inf"),
        ("reward 1e308", "reward_range", "a reward of 1e+308"),
        ("reward -0.1", "reward_range", "a reward of -0.1"),
        ("short tuple", "contract", "step() must return"),
        ("bytes", "contract", "an observation must be text"),
        ("long 20000", "too_large", "it answered 20000 characters"),
    ],
)
async def test_a_fault_stays_with_its_instance(pool: SandboxPool, move: str, kind: str, message: str) -> None:
    async with await pool.open(COUNTER, instances=3) as environment:
        await environment.reset([1, 2, 3])
        steps = await environment.step({**say("fine", 0, 2), **say(move, 1)})
        fault = steps[1]
        after = await environment.step(say("again", 0, 1, 2))
    assert isinstance(fault, ProgramFault)
    assert fault.kind == kind
    assert message in fault.message
    assert isinstance(steps[0], StepResult)
    assert all(isinstance(step, StepResult) for step in after.values())


async def test_a_fault_shows_the_programs_own_line(pool: SandboxPool) -> None:
    async with await pool.open(COUNTER) as environment:
        await environment.reset([1])
        fault = (await environment.step(say("boom")))[0]
    assert isinstance(fault, ProgramFault)
    assert 'raise ValueError("as you wish")' in fault.traceback


async def test_what_an_instance_may_say_does_not_depend_on_its_neighbours(pool: SandboxPool) -> None:
    async with await pool.open(COUNTER, instances=2) as environment:
        await environment.reset([0] * 2)
        alone = [(await environment.step(say(f"long {size}")))[0] for size in (16_320, 16_321)]
        beside = await environment.step({**say("long 16320", 0), **say("long 16321", 1)})
    assert [isinstance(step, StepResult) for step in (*alone, *beside.values())] == [True, False] * 2


async def test_an_observation_too_large_alone_leaves_large_neighbours(pool: SandboxPool) -> None:
    async with await pool.open(COUNTER, instances=4) as environment:
        await environment.reset([0] * 4)
        steps = await environment.step({**say("long 15000", 0, 1, 2), **say("long 60000", 3)})
    assert [isinstance(step, StepResult) for step in steps.values()] == [True, True, True, False]


async def test_half_characters_are_replaced_both_ways(pool: SandboxPool) -> None:
    async with await pool.open(COUNTER) as environment:
        await environment.reset([1])
        from_inside = (await environment.step(say("surrogate")))[0]
        from_outside = (await environment.step(say("\ud800!")))[0]
    assert isinstance(from_inside, StepResult) and from_inside.observation.text == "? half"
    assert isinstance(from_outside, StepResult) and from_outside.observation.text == "turn 2: ?!"


async def test_prints_are_kept_and_cut(pool: SandboxPool) -> None:
    async with await pool.open(COUNTER) as environment:
        await environment.reset([1])
        await environment.step(say("print"))
        assert environment.prints.startswith("hello from inside")
        assert len(environment.prints) <= 4096


async def test_info_reaches_the_verifier_and_no_observation(pool: SandboxPool) -> None:
    async with await pool.open(COUNTER, instances=2) as environment:
        await environment.reset([1, 2])
        steps = await environment.step(say("a", 1))
        assert environment.info(1) == {"turn": 1}
        assert environment.info(0) == {}
    assert steps[1] == StepResult(observation=Observation(text="turn 1: a"), reward=0.25, terminated=False)


async def test_a_tool_task_is_described_and_solved_by_its_own_plan(pool: SandboxPool) -> None:
    async with await pool.open(TOOLS, instances=2) as environment:
        await environment.reset([1, 2])
        plans = await environment.plan()
        moves = plans[1]
        assert not isinstance(moves, ProgramFault)
        (step,) = [(await environment.step({1: move}))[1] for move in moves]
        assert [tool["function"]["name"] for tool in environment.description.tools] == ["switch", "decline"]  # type: ignore[index, call-overload]
        assert environment.info(1)["met"] == 1
    assert isinstance(step, StepResult) and step.terminated and step.reward == 1.0
    assert step.observation.results == ("ok",)


async def test_a_missing_plan_is_a_fault_of_the_instance(pool: SandboxPool) -> None:
    async with await pool.open(COUNTER) as environment:
        await environment.reset([1])
        fault = (await environment.plan())[0]
    assert isinstance(fault, ProgramFault) and fault.kind == "contract"


async def test_tasks_that_share_an_environment_take_turns(pool: SandboxPool) -> None:
    async with await pool.open(COUNTER, instances=20) as environment:
        await environment.reset([0] * 20)
        steps = await asyncio.gather(*(environment.step(say("hi", at)) for at in range(20)))
    assert [list(step) for step in steps] == [[at] for at in range(20)]


async def test_a_hang_loses_the_child_and_nothing_else(pool: SandboxPool) -> None:
    async with await pool.open(COUNTER) as honest, await pool.open(COUNTER) as hanging:
        await asyncio.gather(honest.reset([1]), hanging.reset([1]))
        with pytest.raises(DeadlineExceeded, match="CPU seconds"):
            await hanging.step(say("hang"))
        with pytest.raises(DeadlineExceeded):
            await hanging.step(say("hello?"))
        assert isinstance((await honest.step(say("still here")))[0], StepResult)


async def test_a_hang_while_loading_is_a_deadline(pool: SandboxPool) -> None:
    with pytest.raises(DeadlineExceeded):
        await pool.open("while True: pass")


async def test_a_crash_names_its_signal(pool: SandboxPool) -> None:
    crashing = CRASH.replace("import ctypes", "ctypes = __import__('dataclasses').sys.modules['ctypes']")
    async with await pool.open(crashing) as environment:
        await environment.reset([1])
        with pytest.raises(ChildDied) as died:
            await environment.step(say("now"))
    assert died.value.signal == "SIGSEGV"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"class A: pass", "a program is text, not bytes"),
        (None, "a program is text, not NoneType"),
        ("x" * (10 << 20), "a program of 10485760 characters"),
        ("x = '\0'", "null bytes"),
        ("\ud800", "no valid text"),
        ("def f(:", "SyntaxError"),
        ("x = 1", "there is no environment class"),
        ("import socket", "module 'socket' is not available to environments"),
        ("raise SystemExit(1)", "SystemExit: 1"),
        ("class A:\n def reset(self, seed=None): pass\n def step(self, a): pass\n hint = 3", "hint must be a text"),
    ],
)
async def test_an_unreadable_program_is_a_program_error(pool: SandboxPool, source: str, message: str) -> None:
    with pytest.raises(ProgramError, match=message):
        await pool.open(source)
    async with await pool.open(COUNTER) as environment:
        assert isinstance((await environment.reset([1]))[0], Observation)


async def test_wrong_calls_of_ours_are_errors_of_ours(pool: SandboxPool) -> None:
    async with await pool.open(COUNTER, instances=2) as environment:
        with pytest.raises(ValueError, match="1 seeds for 2 instances"):
            await environment.reset([1])
        with pytest.raises(ValueError, match="instances"):
            await environment.step(say("x", 2))
    with pytest.raises(ValueError, match="0 instances"):
        await pool.open(COUNTER, instances=0)


async def test_numpy_is_there_when_asked_for() -> None:
    source = (
        "import numpy\nclass A:\n def reset(self, seed=None): return str(numpy.random.rand())\n"
        " def step(self, action): return 'x', numpy.float64(0.5), numpy.bool_(True), False, {}\n"
    )
    async with SandboxPool(SandboxConfig(workers=1), numpy=True) as pool, await pool.open(source) as environment:
        first, again = await environment.reset([3]), await environment.reset([3])
        step = (await environment.step(say("x")))[0]
    assert first == again
    assert isinstance(step, StepResult) and step.terminated and step.reward == 0.5


async def test_numpy_is_refused_in_words_when_not(pool: SandboxPool) -> None:
    with pytest.raises(ProgramError, match="module 'numpy' is not available"):
        await pool.open("import numpy\n" + SPIN)


async def test_a_worn_child_is_replaced_on_reset(pool: SandboxPool) -> None:
    source = "import keyword" + COUNTER.replace(
        'return f"seed {seed}", {}',
        'keyword.kwlist.append("me"); return str(keyword.kwlist.count("me")), {}',
    )
    async with await pool.open(source, instances=400) as environment:
        shown = [(await environment.reset([0] * 400))[0] for _ in range(3)]
    assert [one.text for one in shown if isinstance(one, Observation)] == ["1", "401", "1"]
