"""Refused drafts are shown their problems and written again; what is learned from is the first version."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from openspade.assembly import open_run
from openspade.config import Config
from openspade.engine.scripted import ScriptedEngine
from openspade.recipe import parse
from openspade.roles.designer import Designer
from openspade.roles.prompts import Prompts
from openspade.run_folder import new_run_directory
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.settings.learning import DesignerConfig
from openspade.settings.worlds import GatesConfig, SandboxConfig
from openspade.tokens import Prompt
from openspade.types import Brief, CycleReport, Draft, Skill, Verdict
from openspade.verifier.gates.novelty import Nothing
from openspade.verifier.ladder import Verifier
from openspade.verifier.repair import Repairing

BRIEF = Brief(id="b", skill=Skill(name="mathematical reasoning", kind="game", description=""), document=None, seed=0)
GOOD = Path(__file__).parents[2] / "examples" / "environments" / "small_change.py"
FAULTY = "Here it is:\n```python\nprint('hello')\n```"


def mended() -> str:
    return f"```python\n{GOOD.read_text(encoding='utf-8')}```"


async def judged(answer: Callable[[Prompt], str], turns: int, context_tokens: int = 100_000) -> list[Verdict]:
    """What becomes of one brief's two drafts."""
    engine = ScriptedEngine(answer, context_tokens=context_tokens)
    designer = Designer(engine, Prompts("full"), DesignerConfig(max_tokens=4000), drafts_per_brief=2)
    async with SandboxPool(SandboxConfig(workers=1)) as pool:
        ladder = Verifier(pool, Nothing(), GatesConfig())
        return await Repairing(ladder, designer, turns).verify(await designer.design([BRIEF]))


def learns_from_its_problem(prompt: Prompt) -> str:
    return mended() if "There is no environment" in prompt.messages[-1].content else FAULTY


def first_draft_is_good(prompt: Prompt) -> str:
    return mended() if len(prompt.messages) > 2 or prompt.seed % 2 else FAULTY


async def test_the_author_is_shown_the_problem_and_what_it_then_writes_is_judged() -> None:
    verdicts = await judged(learns_from_its_problem, turns=1)
    assert [verdict.draft.id for verdict in verdicts] == ["b.0", "b.1", "b.0~1", "b.1~1"]
    assert [verdict.draft.repairs for verdict in verdicts] == ["", "", "b.0", "b.1"]
    assert [bool(verdict.problems) for verdict in verdicts[:3]] == [True, True, False]


async def test_a_rewriting_must_differ_from_what_was_accepted_beside_it() -> None:
    verdicts = await judged(learns_from_its_problem, turns=1)
    assert [problem.gate for problem in verdicts[3].problems] == ["novel"]


async def test_a_rewriting_that_fails_too_is_written_once_more() -> None:
    verdicts = await judged(lambda prompt: FAULTY, turns=2)
    assert [verdict.draft.id for verdict in verdicts[4:]] == ["b.0~2", "b.1~2"]
    assert [verdict.draft.repairs for verdict in verdicts[4:]] == ["b.0~1", "b.1~1"]


async def test_only_the_new_reply_counts_as_written_in_a_rewriting() -> None:
    verdicts = await judged(learns_from_its_problem, turns=1)
    (stream,) = verdicts[2].draft.streams
    assert sum(stream.written) == len(mended().encode()) + 1


async def test_a_draft_that_leaves_no_room_in_the_context_is_not_written_again() -> None:
    asked = sum(len(message.content) for message in Prompts("full").design(BRIEF))
    assert len(await judged(lambda prompt: FAULTY, turns=1, context_tokens=asked + 4100)) == 2


# --- in a run -----------------------------------------------------------------------------------


def settings(directory: Path) -> Config:
    return parse(
        {
            "run": {"directory": str(directory), "cycles": 1, "seed": 3},
            "policy": {"engine": "scripted", "context_tokens": 100_000},
            "designer": {"max_tokens": 2000},
            "cycle": {"briefs": 6, "drafts_per_brief": 2},
            "playtest": {"seeds": 2, "plays": 1},
            "corpus": {"enabled": False},
            "gates": {"max_similarity": 1.0},
            "repair": {"turns": 2},
        }
    )


@dataclass(frozen=True, kw_only=True)
class Cycle:
    """A cycle's report, the ids of designs that the memory knows, and the drafts that it stored."""

    report: CycleReport
    designs: set[str]
    drafts: list[str]

    @property
    def rewritten(self) -> list[Draft]:
        return [verdict.draft for verdict in self.report.verdicts if verdict.draft.repairs]


async def play_one(directory: Path) -> Cycle:
    config = settings(directory)
    async with open_run(config, new_run_directory(config)) as run:
        (report,) = [report async for report in run.cycles()]
        stored, _ = run.memory.reread(0)
        known = {one.design.id for one in run.memory.designs()}
        return Cycle(report=report, designs=known, drafts=[verdict.draft.id for verdict in stored])


@pytest.fixture(scope="module")
def cycle(tmp_path_factory: pytest.TempPathFactory) -> Cycle:
    return asyncio.run(play_one(tmp_path_factory.mktemp("run")))


def test_a_mended_design_is_played_and_remembered(cycle: Cycle) -> None:
    mended_ids = {draft.design.id for draft in cycle.rewritten if draft.design}
    assert mended_ids
    assert mended_ids <= cycle.report.credit.stats.keys() & cycle.designs
    assert {draft.id for draft in cycle.rewritten} <= set(cycle.drafts)


def test_the_first_version_is_trained_with_its_own_reward_and_no_other(cycle: Cycle) -> None:
    rewards = cycle.report.credit.rewards
    assert {rewards[draft.repairs] for draft in cycle.rewritten if "~" not in draft.repairs} == {-1.0}
    assert not {draft.id for draft in cycle.rewritten} & rewards.keys()
    learned = {one.stream for one in cycle.report.credit.trajectories if one.role == "designer"}
    assert not learned & {stream for draft in cycle.rewritten for stream in draft.streams}


def test_the_funnel_counts_first_drafts_and_repairs_apart(cycle: Cycle) -> None:
    metrics = cycle.report.metrics
    assert metrics["funnel/drafts"] == 12
    assert metrics["repair/written"] == len(cycle.rewritten)
    assert 0 < metrics["repair/accepted"] <= metrics["repair/written"]
