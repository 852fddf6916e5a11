"""The synchronous vector environment: the same answers as the pool's, and lost children as values."""

from __future__ import annotations

from openspade.sandbox.host.environment import ChildDied, DeadlineExceeded
from openspade.sandbox.host.vector import VectorEnvironment
from openspade.settings.worlds import SandboxConfig
from openspade.types import Action, Observation, StepResult
from tests.sandbox.programs import COUNTER, CRASH

CONFIG = SandboxConfig(workers=2, step_timeout_s=0.3)
HI, HANG = Action(text="hi"), Action(text="hang")


def test_programs_are_stepped_side_by_side() -> None:
    with VectorEnvironment(CONFIG, [COUNTER] * 5, instances=2) as vector:
        first = vector.reset([[at, at + 10] for at in range(5)])
        steps = vector.step([[HI, HI]] * 5)
    assert first == [[Observation(text=f"seed {at}"), Observation(text=f"seed {at + 10}")] for at in range(5)]
    assert steps == [[StepResult(observation=Observation(text="turn 1: hi"), reward=0.25, terminated=False)] * 2] * 5


def test_a_lost_child_is_a_value_in_its_programs_place() -> None:
    crash = CRASH.replace("import ctypes", "ctypes = __import__('dataclasses').sys.modules['ctypes']")
    with VectorEnvironment(CONFIG, [COUNTER, COUNTER, crash]) as vector:
        vector.reset([[0]] * 3)
        honest, hung, crashed = vector.step([[HI], [HANG], [HI]])
        again = vector.step([[HI], [HI], [HI]])
    assert isinstance(honest, list) and isinstance(again[0], list)
    assert isinstance(hung, DeadlineExceeded) and isinstance(again[1], DeadlineExceeded)
    assert isinstance(crashed, ChildDied) and crashed.signal == "SIGSEGV"
