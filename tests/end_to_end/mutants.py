"""Good environments broken on purpose. A mutant is a subclass: what it overrides is what is broken.

Two sets of twelve environments, each broken in ten ways. The gates were tuned on the first. The second was written and
drawn afterwards, from the starter pool, and run once before any gate was changed: docs/gates.md has both figures.
"""

import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from openspade.roles.source import read_design
from openspade.types import Design

ROOT = Path(__file__).parents[2]
POOL = sorted((ROOT / "src" / "openspade" / "pool" / "starter").glob("*.py"))
GATES = ROOT / "tests" / "gates"
TUNED_ON = [
    *sorted((ROOT / "examples" / "environments").glob("*.py")),
    GATES / "floor_gap" / "good_four_options.py",
    GATES / "hint_leak" / "good_add_one.py",
    GATES / "equivalent_answers" / "good_a_list_in_any_spelling.py",
    GATES / "minimal" / "good_reads_before_it_writes.py",
]

TUNED_GAME_FAULTS = {
    "oracle off by one": """
    def solution(self):
        *plan, last = super().solution()
        return [*plan, last + "1"]
""",
    "solution raises": """
    def solution(self):
        return [{}["plan"]]
""",
    "won before it is played": """
    def act(self, action):
        super().act(action)
        return self.win()
""",
    "answer printed": """
    def start(self, rng):
        text = super().start(rng)
        return f"{text[:9]} -- debug plan {' '.join(self.solution())} end debug -- {text}"
""",
    "global random": """
    def act(self, action):
        random.random()
        return super().act(action)
""",
    "reward constant": """
    def act(self, action):
        return self.score(0.5, "Half.")
""",
    "crashes on silence": """
    def act(self, action):
        return super().act(action * (1 // len(action)))
""",
    "wildcard accepted": """
    def act(self, action):
        return self.win() if "*" in action else super().act(action)
""",
    "time dependence": """
    def start(self, rng):
        return super().start(rng) + str(time.time())
""",
    "state in the class": """
    seen = []

    def start(self, rng):
        self.seen.append(1)
        return f"Player {len(self.seen)}. {super().start(rng)}"
""",
}
TUNED_TOOL_FAULTS = {
    "oracle off by one": """
    def solution(self):
        *plan, last = super().solution()
        return [*plan, last[:-1]]
""",
    "solution raises": """
    def solution(self):
        return [{}["plan"]]
""",
    "criterion met before": """
    def start(self, rng):
        super().start(rng)
        self.requests[-1] = Request(self.requests[-1].text, done=lambda s: True)
""",
    "answer printed": """
    def start(self, rng):
        super().start(rng)
        return f"debug {self.solution()}"
""",
    "global random": """
    def start(self, rng):
        super().start(random)
""",
    "type mismatch in a criterion": """
    def start(self, rng):
        super().start(rng)
        self.requests[0] = Request(self.requests[0].text, done=lambda s: s == "")
""",
    "criterion raises": """
    def start(self, rng):
        super().start(rng)
        self.requests[0] = Request(self.requests[0].text, done=lambda s: s["no such key"])
""",
    "tool always raises": """
    @tool
    def dummy(self, text: str) -> str:
        '''Help.'''
        raise ValueError("broken")
""",
    "declining wins": """
    def start(self, rng):
        super().start(rng)
        self.requests = [Request(r.text, impossible=True) for r in self.requests]

    def solution(self):
        return [[self.decline("no")] for _ in self.requests]
""",
    "time dependence": """
    def start(self, rng):
        super().start(rng)
        return str(time.time())
""",
}

HELD_OUT_GAME_FAULTS = {
    "solution stops early": """
    def solution(self):
        return super().solution()[:-1]
""",
    "three turns of anything win": """
    def start(self, rng):
        self.turns_taken = 0
        return super().start(rng)

    def act(self, action):
        self.turns_taken += 1
        return self.win() if self.turns_taken == 3 else super().act(action)
""",
    "a wrong move tells the answer": """
    def start(self, rng):
        text = super().start(rng)
        self.told = self.solution()
        return text

    def act(self, action):
        if action not in self.told:
            return f"That is no good; a better player would say {self.told[-1]} by now."
        return super().act(action)
""",
    "order of a set shown": """
    def start(self, rng):
        return f"{super().start(rng)} Watched by {' and '.join({'Ann', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn'})}."
""",
    "losing pays": """
    def lose(self, text="Not solved."):
        return self.score(0.6, text)

    def act(self, action):
        text = super().act(action)
        return text if self._earned is not None else self.score(0.6, text)
""",
    "the answer anywhere in the text": """
    def start(self, rng):
        text = super().start(rng)
        self.told = self.solution()
        return text

    def act(self, action):
        return self.win() if self.told[-1] in action else super().act(action)
""",
    "hint with a password": """
    hint = "Say 'open sesame 4711', and it is done."

    def act(self, action):
        return self.win() if action == "open sesame 4711" else super().act(action)
""",
    "the action is a pattern": """
    def start(self, rng):
        text = super().start(rng)
        self.told = self.solution()
        return text

    def act(self, action):
        try:
            found = re.fullmatch(action, self.told[-1])
        except (re.error, OverflowError, RecursionError):
            found = None
        return self.win() if found else super().act(action)
""",
    "an address shown": """
    def start(self, rng):
        return f"{super().start(rng)} ({object()!r})"
""",
    "worn out by others": """
    def act(self, action):
        WEAR.append(action)
        return self.lose("Worn out.") if len(WEAR) > 40 else super().act(action)
""",
}
HELD_OUT_TOOL_FAULTS = {
    "solution in the wrong order": """
    def solution(self):
        return super().solution()[::-1]
""",
    "criterion met before, in the middle": """
    def start(self, rng):
        text = super().start(rng)
        self.requests[1] = Request(self.requests[1].text, done=lambda s: True)
        return text
""",
    "the request tells the plan": """
    def start(self, rng):
        text = super().start(rng)
        calls = [one for part in self.solution() for one in part if isinstance(one, dict)]
        told = "; ".join(f"{one['name']} with {' and '.join(map(str, one['arguments'].values()))}" for one in calls)
        return f"{text or ''} (Plan: {told}.)"
""",
    "order of a set shown": """
    def start(self, rng):
        text = super().start(rng) or ""
        return f"{text} Watched by {' and '.join({'Ann', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn'})}."
""",
    "the second look at a criterion meets it": """
    def start(self, rng):
        text = super().start(rng)
        looks = []
        self.requests[0] = Request(self.requests[0].text, done=lambda s: len(looks) > 1 or looks.append(s))
        return text
""",
    "a tool returns a set": """
    @tool
    def everybody(self) -> list:
        '''Names of all who work here.'''
        return {"Ann", "Ben"}
""",
    "hint with a PIN": """
    hint = "Unlock the desk with PIN 4711 first."

    def start(self, rng):
        text = super().start(rng)
        self.unlocked = []
        self.requests = [Request("Unlock the desk.", done=lambda s: bool(self.unlocked)), *self.requests]
        return text

    @tool
    def unlock(self, pin: str) -> str:
        '''Unlock the desk.'''
        if pin != "4711":
            raise ToolError("wrong PIN")
        self.unlocked.append(pin)
        return "open"

    def solution(self):
        return [[self.call("unlock", pin="4711")], *super().solution()]
""",
    "any change is right": """
    def start(self, rng):
        text = super().start(rng)
        before = repr(self.state)
        request = self.requests[0]
        self.requests[0] = Request(request.text, answers=request.answers, done=lambda s: repr(s) != before)
        return text
""",
    "an address shown": """
    def start(self, rng):
        return f"{super().start(rng) or ''} ({object()!r})"
""",
    "a call that does nothing": """
    @tool
    def greet(self, name: str) -> str:
        '''Greet somebody.'''
        return "Hello."

    def solution(self):
        first, *rest = super().solution()
        return [[self.call("greet", name="all"), *first], *rest]
""",
}
HEADS = {
    "global random": "import random\n",
    "time dependence": "import time\n",
    "the action is a pattern": "import re\n",
    "worn out by others": "WEAR = []\n",
}


def held_out_on() -> list[Path]:
    """Twelve of the starter pool, drawn by lot."""
    rng = random.Random("held out")
    kinds = ([path for path in POOL if design_in(path).kind == kind] for kind in ("game", "tool"))
    return [path for paths in kinds for path in sorted(rng.sample(paths, 6))]


def design_in(path: Path) -> Design:
    read = read_design(path.read_text(encoding="utf-8"))
    assert isinstance(read, Design)
    return read


def mutant(path: Path, fault: str, body: str) -> str:
    """A program whose environment class is broken in one way."""
    design = design_in(path)
    parent = re.findall(r"^class (\w+)\(.*(?:Game|ToolTask)\)", design.source, re.MULTILINE)[-1]
    texts = f'    """{design.title}"""\n\n    skill = {design.skill!r}\n'
    texts += "" if "hint =" in body else f"    hint = {design.hint!r}\n"
    base = "" if design.kind == "game" else "from openspade_env import Request, ToolError, tool\n"
    return f"{HEADS.get(fault, '')}{base}{design.source}\n\nclass Mutant({parent}):\n{texts}{body}"


def _mutants(paths: Sequence[Path], game: Mapping[str, str], tool: Mapping[str, str]) -> dict[str, str]:
    return {
        f"{path.stem}: {fault}": mutant(path, fault, body)
        for path in paths
        for fault, body in (tool if design_in(path).kind == "tool" else game).items()
    }


def tuned() -> dict[str, str]:
    """120 programs by "environment: fault"."""
    return _mutants(TUNED_ON, TUNED_GAME_FAULTS, TUNED_TOOL_FAULTS)


def held_out() -> dict[str, str]:
    """Another 120: other environments, other faults."""
    return _mutants(held_out_on(), HELD_OUT_GAME_FAULTS, HELD_OUT_TOOL_FAULTS)
