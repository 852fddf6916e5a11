"""Every gate refuses its own bad fixtures and lets the good ones pass: tests/gates has a folder for each gate."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from openspade.roles.reply import extract_program
from openspade.roles.source import read_design
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.settings.worlds import GatesConfig, SandboxConfig
from openspade.types import Brief, Design, Draft, Skill, Verdict
from openspade.verifier.gates.novelty import DesignIndex, Nothing
from openspade.verifier.ladder import Verifier

ROOT = Path(__file__).parents[2]
GATES = ROOT / "tests" / "gates"
APART = ("novel", "reviewer")
"""Gates whose fixtures need more than a program: below, and in tests/unit/test_review.py."""
FIXTURES = sorted(
    path for path in GATES.rglob("*_*") if path.suffix in (".py", ".md") and path.parent.name not in APART
)
BAD = [path for path in FIXTURES if path.name.startswith("bad_")]
GOOD = [path for path in FIXTURES if path.name.startswith("good_")]
EXAMPLES = sorted((ROOT / "examples" / "environments").glob("*.py"))
ASKED = "# asked: several turns"
# Fixtures and mutants are near copies of each other; likeness is what `novel` is tested on.
ANY_LIKENESS = GatesConfig(max_similarity=1.0)


def draft_of(text: str, name: str = "draft") -> Draft:
    """A draft as the Designer would have made it of this reply."""
    skill = Skill(name="any", kind="game", description="", turns="several" if ASKED in text else "any")
    brief = Brief(id="b", skill=skill, document=None, seed=0)
    program = extract_program(text)
    read = read_design(program) if program is not None else None
    if isinstance(read, Design):
        return Draft(id=name, brief=brief, text=text, design=read)
    return Draft(id=name, brief=brief, text=text, problem=read)


def read_draft(path: Path) -> Draft:
    text = path.read_text(encoding="utf-8")
    return draft_of(text if path.suffix == ".md" else f"```python\n{text}```\n", path.name)


def read_programs(paths: Sequence[Path]) -> list[Design]:
    return [design for path in paths if (design := read_draft(path).design)]


def verify(
    drafts: Sequence[Draft],
    *,
    gates: GatesConfig = ANY_LIKENESS,
    window: DesignIndex | None = None,
    beside: Sequence[Design] = (),
) -> list[Verdict]:
    async def judged() -> list[Verdict]:
        async with SandboxPool(SandboxConfig()) as pool:
            return await Verifier(pool, window or Nothing(), gates).verify(drafts, beside)

    return asyncio.run(judged())


@pytest.fixture(scope="module")
def verdicts() -> dict[Path, Verdict]:
    paths = [*FIXTURES, *EXAMPLES]
    return dict(zip(paths, verify([read_draft(path) for path in paths]), strict=True))


@pytest.mark.parametrize("path", BAD, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_bad_design_fails_at_its_gate(path: Path, verdicts: dict[Path, Verdict]) -> None:
    problems = verdicts[path].problems
    assert [problem.gate for problem in problems] == [path.parent.name], problems


@pytest.mark.parametrize("path", [*GOOD, *EXAMPLES], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_good_design_passes_every_gate(path: Path, verdicts: dict[Path, Verdict]) -> None:
    assert verdicts[path].problems == ()


def test_every_problem_is_one_sentence(verdicts: dict[Path, Verdict]) -> None:
    for verdict in verdicts.values():
        for problem in verdict.problems:
            assert problem.message.endswith(".")
            assert "\n" not in problem.message


def test_what_a_gate_costs_includes_the_child(verdicts: dict[Path, Verdict]) -> None:
    costs = {result.gate: result for result in verdicts[EXAMPLES[0]].gates}
    assert costs["starts"].cpu_ms > costs["starts"].child_ms > 0
    assert costs["floor_gap"].child_ms > 0
    assert costs["contract"].child_ms == 0


def test_verdicts_do_not_depend_on_what_is_judged_beside() -> None:
    drafts = [read_draft(path) for path in EXAMPLES[:3]]
    together = verify(drafts)
    alone = [verify([draft])[0] for draft in drafts[:1]]
    assert [gate.note for gate in together[0].gates] == [gate.note for gate in alone[0].gates]


SLOW = """
from openspade_env import Game, same_answer

class Slow(Game):
    '''Every step takes a while, none too long for itself.'''
    skill = "mathematical reasoning"
    hint = "Add the tens first."

    def start(self, rng):
        self.number = rng.randint(100, 999)
        return f"Twice {self.number}?"

    def act(self, action):
        sum(range(2_000_000))
        return self.win() if same_answer(action, 2 * self.number, kind="number") else "No."

    def solution(self):
        return [str(2 * self.number)]
"""


def test_all_gates_together_end_at_their_limit() -> None:
    (verdict,) = verify([draft_of(f"```python{SLOW}```")], gates=GatesConfig(design_timeout_s=1.0))
    assert [problem.gate for problem in verdict.problems] == ["resource_bounds"]
    assert verdict.problems[0].message.startswith("All gates took more than 1 s of CPU")


# --- novelty ------------------------------------------------------------------------------------

REMEMBERED = sorted((GATES / "novel").glob("remembered_*.py"))


@pytest.fixture(scope="module")
def novelty() -> dict[str, Verdict]:
    """Verdicts of the novel gate's fixtures, after those that are remembered."""
    paths = sorted([*(GATES / "novel").glob("bad_*.py"), *(GATES / "novel").glob("good_*.py")])
    judged = verify([read_draft(path) for path in paths], gates=GatesConfig(), beside=read_programs(REMEMBERED))
    return dict(zip([path.stem for path in paths], judged, strict=True))


def test_copies_of_a_recent_design_are_refused(novelty: dict[str, Verdict]) -> None:
    refused = {name: [problem.gate for problem in v.problems] for name, v in novelty.items() if name[:4] == "bad_"}
    assert len(refused) >= 2
    assert {gate for gates in refused.values() for gate in gates} == {"novel"}


def test_the_same_story_or_shape_with_another_mechanic_is_new(novelty: dict[str, Verdict]) -> None:
    problems = {name: verdict.problems for name, verdict in novelty.items() if name.startswith("good_")}
    assert len(problems) >= 2
    assert set(problems.values()) == {()}


def test_other_numbers_are_new_where_likeness_does_not_count() -> None:
    other_numbers = read_draft(GATES / "novel" / "bad_f1_other_numbers.py")
    assert verify([other_numbers], beside=read_programs(REMEMBERED))[0].accepted


def test_of_two_alike_programs_in_one_batch_only_the_first_is_novel() -> None:
    drafts = [read_draft(path) for path in (*REMEMBERED, GATES / "novel" / "bad_f1_other_numbers.py")]
    first, second = verify(drafts, gates=GatesConfig())
    assert first.accepted
    assert [problem.gate for problem in second.problems] == ["novel"]


def test_of_two_equal_programs_only_the_first_is_novel() -> None:
    draft = read_draft(EXAMPLES[0])
    first, second = verify([draft, draft])
    assert first.accepted
    assert [problem.gate for problem in second.problems] == ["novel"]


class Remembers:
    """A memory that knows a program equal to any, or one alike to any."""

    def __init__(self, *, equal: str | None = None, likeness: float = 0.0) -> None:
        self._equal = equal
        self._likeness = likeness

    def seen(self, fingerprint: str) -> str | None:
        return self._equal

    def nearest(self, source: str) -> tuple[str, float] | None:
        return "an older design", self._likeness


@pytest.mark.parametrize(
    ("memory", "gates", "novel"),
    [
        (Remembers(equal="an older design"), ANY_LIKENESS, False),
        (Remembers(likeness=0.95), GatesConfig(), False),
        (Remembers(likeness=0.95), ANY_LIKENESS, True),
        (Remembers(likeness=0.85), GatesConfig(), True),
        (Remembers(likeness=0.85), GatesConfig(max_similarity=0.8), False),
    ],
)
def test_the_memory_decides_what_is_new(memory: Remembers, gates: GatesConfig, novel: bool) -> None:
    (verdict,) = verify([read_draft(EXAMPLES[0])], gates=gates, window=memory)
    assert verdict.accepted == novel
