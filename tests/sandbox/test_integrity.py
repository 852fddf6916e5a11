"""What a program cannot know or take: the episodes beside its own, and the shares of others in a message."""

from __future__ import annotations

from pathlib import Path

import pytest

from openspade.sandbox.failures import DeadlineExceeded, ProgramError, ProgramFault, ProtocolViolation
from openspade.sandbox.host.messages import MAX_DEPTH
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.types import Action, Observation, StepResult, ToolCall
from tests.sandbox.programs import say

pytestmark = pytest.mark.asyncio(loop_scope="module")

HOSTILE = Path(__file__).parent / "hostile"
COUNTING = {
    "a list of the module": "SEEN = []\ndef count():\n    SEEN.append(1)\n    return len(SEEN)",
    "a global": "SEEN = 0\ndef count():\n    global SEEN\n    SEEN += 1\n    return SEEN",
    "an iterator": "import itertools\nSEEN = itertools.count(1)\ndef count():\n    return next(SEEN)",
    "a cache": "from functools import lru_cache\n@lru_cache\ndef box(): return []\n"
    "def count():\n    box().append(1)\n    return len(box())",
    "a default argument": "def count(seen=[]):\n    seen.append(1)\n    return len(seen)",
    "a function's attribute": "def count():\n    count.seen = getattr(count, 'seen', 0) + 1\n    return count.seen",
    "an attribute of the class": "def count():\n    Env.seen = getattr(Env, 'seen', 0) + 1\n    return Env.seen",
    "a closure": "def make():\n    seen = []\n    return lambda: seen.append(1) or len(seen)\ncount = make()",
    "hints read later": "import typing\nclass Box:\n    seen: 'SEEN.append(1) or int'\nSEEN = []\n"
    "def count():\n    try: typing.get_type_hints(Box)\n    except NameError: pass\n    return len(SEEN) or 1",
    "builtins": "def count():\n    here = __builtins__\n    here['seen'] = here.get('seen', 0) + 1\n"
    "    return here['seen']",
}
EPISODES = """
class Env:
    def reset(self, seed=None):
        return str(count()), {}
    def step(self, action):
        return str(count()), 0.0, False, False, {}
"""


def hostile(name: str) -> str:
    return (HOSTILE / f"{name}.py").read_text()


@pytest.mark.parametrize("source", COUNTING.values(), ids=COUNTING)
async def test_an_episode_cannot_count_the_others(pool: SandboxPool, source: str) -> None:
    async with await pool.open(source + EPISODES, instances=3) as environment:
        first = await environment.reset([1, 1, 2])
        await environment.step(say("x", 0, 1))
        again = await environment.reset([1, 2, 3])
        steps = await environment.step(say("x", 2))
    assert first == again == [Observation(text="1")] * 3
    assert isinstance(steps[2], StepResult) and steps[2].observation.text in ("1", "2")


async def test_what_is_opened_shared_is_one_module(pool: SandboxPool) -> None:
    async with await pool.open(COUNTING["a global"] + EPISODES, instances=3, shared=True) as environment:
        assert await environment.reset([1, 1, 2]) == [Observation(text=str(n)) for n in (1, 2, 3)]


async def test_an_instance_before_its_reset_says_so(pool: SandboxPool) -> None:
    async with await pool.open(COUNTING["a global"] + EPISODES) as environment:
        fault = (await environment.step(say("x")))[0]
    assert isinstance(fault, ProgramFault) and fault.message == "step() before reset()"


@pytest.mark.parametrize("instances", [4, 64])
async def test_no_instance_takes_the_shares_of_the_others(pool: SandboxPool, instances: int) -> None:
    async with await pool.open(hostile("m01_one_instance_takes_all"), instances=instances) as environment:
        await environment.reset(list(range(instances)))
        with pytest.raises(ProtocolViolation, match=f"sent {16000 * instances} bytes where 16384 may cross"):
            await environment.step(say("x", *range(instances)))


async def test_asides_of_instances_that_nobody_asked_are_a_violation(pool: SandboxPool) -> None:
    async with await pool.open(hostile("m03_int_key_asides"), instances=8) as environment:
        await environment.reset(list(range(8)))
        with pytest.raises(ProtocolViolation, match="where 8 were asked"):
            await environment.step(say("x", *range(8)))


@pytest.mark.parametrize("name", ["m02_drip_quadratic", "m04_count_falsely"])
async def test_dripping_and_false_counting_end_at_the_deadline(pool: SandboxPool, name: str) -> None:
    async with await pool.open(hostile(name), instances=4) as environment:
        await environment.reset(list(range(4)))
        with pytest.raises((DeadlineExceeded, ProtocolViolation)):
            await environment.step(say("x", *range(4)))


@pytest.mark.parametrize(
    "name",
    ["x04_forged_reply_own_nonce", "x28_lone_surrogates_everywhere", "x34_scan_own_memory", "x36_sigsegv_handler_loop"],
)
async def test_a_hostile_step_is_a_value_or_a_lost_child(pool: SandboxPool, name: str) -> None:
    async with await pool.open(hostile(name)) as environment:
        await environment.reset([1])
        try:
            shown = (await environment.step(say("x")))[0]
        except (DeadlineExceeded, ProtocolViolation):
            return
        assert isinstance(environment.info(0), dict)
    if isinstance(shown, StepResult):
        shown.observation.text.encode()
        assert "PWNED" not in shown.observation.text


@pytest.mark.parametrize(
    "tools", ["[{}]", "[1]", "[{'type': 'function', 'function': {'name': 'x'}}]", "[{'type': 'x'}]"]
)
async def test_tools_without_their_shape_are_a_contract_fault(pool: SandboxPool, tools: str) -> None:
    source = hostile("d01_tools_without_shape").replace('"tools": [{}]', f'"tools": {tools}')
    with pytest.raises(ProgramError, match="does not describe itself properly"):
        await pool.open(source)


@pytest.mark.parametrize("depth", [MAX_DEPTH, 200, 900, 981])
async def test_a_plan_nested_too_deep_is_a_fault_of_the_instance(pool: SandboxPool, depth: int) -> None:
    source = hostile("d02_nested_plan").replace("DEPTH", str(depth))
    async with await pool.open(source) as environment:
        await environment.reset([1])
        plan = (await environment.plan())[0]
    assert isinstance(plan, ProgramFault) and plan.kind in ("contract", "raised")


async def test_a_call_nested_too_deep_is_answered_and_not_sent(pool: SandboxPool) -> None:
    nested: list[object] = []
    for _ in range(2000):
        nested = [nested]
    call = ToolCall(name="store", arguments={"name": "x", "extra": nested})  # type: ignore[dict-item]
    async with await pool.open(hostile("d02_nested_plan").replace("DEPTH", "1")) as environment:
        await environment.reset([1])
        shown = (await environment.step({0: Action(text="", calls=(call,))}))[0]
    assert isinstance(shown, StepResult)
    assert shown.observation.results == (f"Error: arguments are nested more than {MAX_DEPTH} deep",)
