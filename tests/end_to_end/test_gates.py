"""Every gate refuses its own bad fixtures and lets the good ones pass: tests/gates has a folder for each gate."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from openspade.roles.source import extract_program, read_design
from openspade.sandbox.pool import SandboxPool
from openspade.settings.worlds import GatesConfig, SandboxConfig
from openspade.types import Brief, Design, Draft, Skill, Verdict
from openspade.verifier.ladder import Nothing, Verifier

ROOT = Path(__file__).parents[2]
FIXTURES = sorted(path for path in (ROOT / "tests" / "gates").rglob("*_*") if path.suffix in (".py", ".md"))
BAD = [path for path in FIXTURES if path.name.startswith("bad_")]
GOOD = [path for path in FIXTURES if path.name.startswith("good_")]
EXAMPLES = sorted((ROOT / "examples" / "environments").glob("*.py"))
BRIEF = Brief(id="b", skill=Skill(name="any", kind="game", description=""), document=None, seed=0)


def draft_of(text: str, name: str = "draft") -> Draft:
    """A draft as the Designer would have made it of this reply."""
    program = extract_program(text)
    read = read_design(program) if program is not None else None
    if isinstance(read, Design):
        return Draft(id=name, brief=BRIEF, text=text, design=read)
    return Draft(id=name, brief=BRIEF, text=text, problem=read)


def read_draft(path: Path) -> Draft:
    text = path.read_text(encoding="utf-8")
    return draft_of(text if path.suffix == ".md" else f"```python\n{text}```\n", path.name)


def verify(drafts: Sequence[Draft]) -> list[Verdict]:
    async def judged() -> list[Verdict]:
        async with SandboxPool(SandboxConfig()) as pool:
            return await Verifier(pool, Nothing(), GatesConfig()).verify(drafts)

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


def test_verdicts_do_not_depend_on_what_is_judged_beside() -> None:
    drafts = [read_draft(path) for path in EXAMPLES[:3]]
    together = verify(drafts)
    alone = [verify([draft])[0] for draft in drafts[:1]]
    assert [gate.note for gate in together[0].gates] == [gate.note for gate in alone[0].gates]


def test_of_two_equal_programs_only_the_first_is_novel() -> None:
    draft = read_draft(EXAMPLES[0])
    first, second = verify([draft, draft])
    assert first.accepted
    assert [problem.gate for problem in second.problems] == ["novel"]


def test_a_renamed_copy_of_a_remembered_program_is_not_novel() -> None:
    class Remembers:
        def seen(self, fingerprint: str) -> str | None:
            return "an older design"

    async def judged() -> list[Verdict]:
        async with SandboxPool(SandboxConfig(workers=1)) as pool:
            return await Verifier(pool, Remembers(), GatesConfig()).verify([read_draft(EXAMPLES[0])])

    assert [problem.gate for problem in asyncio.run(judged())[0].problems] == ["novel"]
