"""Small honest and dishonest programs that the tests play."""

from __future__ import annotations

from collections.abc import Mapping

from openspade.types import Action

COUNTER = '''
class Counter:
    """Counts its turns; `boom`, `nan` and the like make it misbehave."""
    def reset(self, seed=None):
        self.turns, self.seed = 0, seed
        return f"seed {seed}", {}
    def step(self, action):
        self.turns += 1
        if action == "boom":
            raise ValueError("as you wish")
        if action == "exit":
            raise SystemExit(3)
        if action == "hang":
            while True: pass
        if action.startswith("reward "):
            return "r", float(action[7:]), False, False, {}
        if action.startswith("long "):
            return "x" * int(action[5:]), 0.0, False, False, {}
        if action == "short tuple":
            return "x", 0.0, False
        if action == "print":
            print("hello from inside" * 1000)
        if action == "bytes":
            return b"bytes", 0.0, False, False, {}
        if action == "surrogate":
            return "\\ud800 half", 0.0, False, False, {"half": "\\udc00"}
        return f"turn {self.turns}: {action}", 0.25, action == "end", action == "cut", {"turn": self.turns}
'''
SLOW = """
class Slow:
    def reset(self, seed=None):
        return "slow", {}
    def step(self, action):
        n = 0
        while n < int(action): n += 1
        return "done", 0.0, False, False, {}
"""
SPIN = "class Spin:\n def reset(self, seed=None):\n  while True: pass\n def step(self, action): pass\n"
CRASH = """
class Crash:
    def reset(self, seed=None): return "ready"
    def step(self, action):
        import ctypes
        ctypes.string_at(0)
"""
TINY = (
    "class Tiny:\n def reset(self, seed=None): return 'r'\n def step(self, action): return 'o', 0.0, False, False, {}\n"
)


def say(text: str, *instances: int) -> Mapping[int, Action]:
    """The same move for each instance named; for the first when none is."""
    return {instance: Action(text=text) for instance in instances or (0,)}
