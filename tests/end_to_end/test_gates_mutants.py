"""The judge judged: good environments broken on purpose are caught, and rewritten without a change they still pass."""

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from openspade.roles.source import read_design
from openspade.types import Design, Verdict
from tests.end_to_end.test_gates import EXAMPLES, GOOD, draft_of, verify

GOOD_PROGRAMS = sorted([*EXAMPLES, *[path for path in GOOD if path.stem in ("good_four_options", "good_add_one")]])
GOOD_PROGRAMS += [path for path in GOOD if path.stem in ("good_reads_before_it_writes", "good_a_list_in_any_spelling")]

# A mutant is a subclass: what it overrides is what is broken.
GAME_MUTANTS = {
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
TOOL_MUTANTS = {
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
IMPORTS = {"global random": "import random\n", "time dependence": "import time\n"}


def design_in(path: Path) -> Design:
    read = read_design(path.read_text(encoding="utf-8"))
    assert isinstance(read, Design)
    return read


def mutant(path: Path, name: str) -> str:
    """A program whose environment class is broken in one way."""
    design = design_in(path)
    parent = re.findall(r"^class (\w+)\(.*(?:Game|ToolTask)\)", design.source, re.MULTILINE)[-1]
    body = (TOOL_MUTANTS if design.kind == "tool" else GAME_MUTANTS)[name]
    texts = f'    """{design.title}"""\n\n    hint = {design.hint!r}\n    skill = {design.skill!r}\n'
    base = "" if design.kind == "game" else "from openspade_env import Request, tool\n"
    return f"{IMPORTS.get(name, '')}{base}{design.source}\n\nclass Mutant({parent}):\n{texts}{body}"


def judged(programs: dict[str, str]) -> dict[str, Verdict]:
    drafts = [draft_of(f"```python\n{source}```\n", name) for name, source in programs.items()]
    return dict(zip(programs, verify(drafts), strict=True))


def mutants() -> dict[str, str]:
    return {
        f"{path.stem}: {name}": mutant(path, name)
        for path in GOOD_PROGRAMS
        for name in (TOOL_MUTANTS if design_in(path).kind == "tool" else GAME_MUTANTS)
    }


def test_at_least_95_of_100_mutants_are_caught() -> None:
    verdicts = judged(mutants())
    missed = [name for name, verdict in verdicts.items() if verdict.accepted]
    assert len(verdicts) == 120
    assert len(missed) <= 0.05 * len(verdicts), missed


def comments(source: str) -> str:
    return "# A comment.\n" + source.replace("\n    def ", "\n    # Another one.\n    def ")


def methods_reversed(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            functions = [item for item in node.body if isinstance(item, ast.FunctionDef)]
            node.body = [item for item in node.body if item not in functions] + functions[::-1]
    return ast.unparse(tree) + "\n"


def attributes_renamed(source: str) -> str:
    own = set(re.findall(r"self\.(\w+)\s*(?:,|=[^=])", source)) - {"state", "requests", "max_turns"}
    return re.sub(r"self\.(\w+)", lambda match: f"self.{match[1]}{'_x' if match[1] in own else ''}", source)


def class_renamed(source: str) -> str:
    name = re.findall(r"^class (\w+)\(.*(?:Game|ToolTask)\)", source, re.MULTILINE)[-1]
    return re.sub(rf"\b{name}\b", "Renamed", source)


@pytest.mark.parametrize("rewrite", [comments, methods_reversed, attributes_renamed, class_renamed])
def test_a_rewrite_that_changes_nothing_changes_no_verdict(rewrite: Callable[[str], str]) -> None:
    verdicts = judged({path.stem: rewrite(path.read_text(encoding="utf-8")) for path in GOOD_PROGRAMS})
    assert {name: verdict.problems for name, verdict in verdicts.items() if not verdict.accepted} == {}
