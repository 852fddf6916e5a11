"""The model reviewer may refuse; what it says unclearly, or not at all, counts for nothing (tests/gates/reviewer)."""

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import pytest

from openspade.config import Config
from openspade.engine.scripted import ScriptedEngine
from openspade.errors import ConfigError, EngineError
from openspade.metrics.cycle import funnel
from openspade.recipe import parse
from openspade.roles.designer import Designer
from openspade.roles.prompts import Prompts
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.tokens import Completion, Prompt
from openspade.types import Design, Draft, Problem, Verdict
from openspade.verifier.gates.novelty import Nothing
from openspade.verifier.judge import build_judge
from openspade.verifier.ladder import Verifier
from openspade.verifier.repair import Repairing
from openspade.verifier.review import TRIES, Reviewing
from tests.fakes import a_design, a_verdict

REPLIES = sorted((Path(__file__).parents[1] / "gates" / "reviewer").glob("*.md"))
DESIGN = a_design()
ACCEPTED = a_verdict(DESIGN)
REFUSED = a_verdict(a_design("two"), draft="second", problem=Problem(gate="floor_gap", message="Too easy."))


class DecidedJudge:
    """A judge whose mind is made up."""

    def __init__(self, *verdicts: Verdict) -> None:
        self._verdicts = verdicts

    async def verify(self, drafts: Sequence[Draft], beside: Sequence[Design] = ()) -> list[Verdict]:
        return list(self._verdicts)


class Model(ScriptedEngine):
    """Says one reply after another, the last one for ever; an error is raised. Keeps what it was asked."""

    def __init__(self, *replies: str | EngineError) -> None:
        super().__init__(lambda _prompt: "")
        self._replies = list(replies)
        self.asked: list[Prompt] = []

    async def sample(self, requests: Sequence[Prompt]) -> list[Completion]:
        self.asked += requests
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if isinstance(reply, EngineError):
            raise reply
        return [Completion(ids=(), logprobs=(), text=reply, stop="stop")]


async def reviewed(model: Model, *verdicts: Verdict) -> list[Verdict]:
    return await Reviewing(DecidedJudge(*verdicts), lambda: nullcontext(model), Prompts("full")).verify([])


def replies(kind: str) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in REPLIES if path.name.startswith(kind)]


@pytest.mark.parametrize("reply", replies("bad_"))
async def test_a_clear_no_with_a_reason_refuses(reply: str) -> None:
    (verdict,) = await reviewed(Model(reply), ACCEPTED)
    (problem,) = verdict.problems
    assert problem.gate == "reviewer"
    assert problem.message.startswith("The ")
    assert problem.message.endswith(".")


@pytest.mark.parametrize("reply", replies("good_"))
async def test_a_clear_yes_leaves_the_verdict_as_it_is(reply: str) -> None:
    (verdict,) = await reviewed(Model(reply), ACCEPTED)
    assert verdict.accepted
    assert [(gate.gate, gate.ran) for gate in verdict.gates] == [("reviewer", True)]


@pytest.mark.parametrize("reply", replies("unclear_"))
async def test_an_unclear_reply_is_asked_for_again_and_then_reported_as_not_run(reply: str) -> None:
    model = Model(reply)
    (verdict,) = await reviewed(model, ACCEPTED)
    assert verdict.accepted
    assert len({prompt.seed for prompt in model.asked}) == TRIES
    assert [(gate.ran, gate.note[:8]) for gate in verdict.gates] == [(False, "not run:")]


async def test_an_error_is_no_verdict() -> None:
    (verdict,) = await reviewed(Model(EngineError("the server is down")), ACCEPTED)
    assert verdict.accepted
    assert verdict.gates[-1].note == "not run: the server is down"


async def test_the_second_reply_counts_when_the_first_is_unclear() -> None:
    (verdict,) = await reviewed(Model("Hm.", EngineError("busy"), replies("bad_")[0]), ACCEPTED)
    assert [problem.gate for problem in verdict.problems] == ["reviewer"]


async def test_no_praise_saves_what_a_gate_refused() -> None:
    model = Model("VERDICT: keep")
    assert await reviewed(model, REFUSED) == [REFUSED]
    assert model.asked == []


async def test_the_reviewer_reads_program_and_hint() -> None:
    model = Model("VERDICT: keep")
    await reviewed(model, ACCEPTED)
    assert DESIGN.source in model.asked[0].messages[-1].content
    assert DESIGN.hint in model.asked[0].messages[-1].content


async def test_metrics_say_how_many_reviews_came_to_nothing() -> None:
    verdicts = await reviewed(Model("Hm."), ACCEPTED, REFUSED)
    assert (funnel(verdicts)["review/asked"], funnel(verdicts)["review/not_run"]) == (1, 1)


# --- choosing one -------------------------------------------------------------------------------


def chosen(**sections: object) -> object:
    config: Config = parse(sections)
    model = Model("")
    author = Designer(model, Prompts("full"), config.designer, 1)
    return build_judge(config, Verifier(SandboxPool(config.sandbox), Nothing(), config.gates), model, author)


@pytest.mark.parametrize("reviewer", ["policy", "http://127.0.0.1:8000/v1 qwen3-8b"])
def test_the_policy_or_a_server_may_review(reviewer: str) -> None:
    assert isinstance(chosen(gates={"reviewer": reviewer}), Reviewing)


@pytest.mark.parametrize("reviewer", ["qwen3-8b", "http://127.0.0.1:8000/v1", "policy please"])
def test_a_reviewer_that_is_nobody_is_named(reviewer: str) -> None:
    with pytest.raises(ConfigError, match=rf"gates.reviewer is '{reviewer}': .*write policy, or a server"):
        parse({"gates": {"reviewer": reviewer}})


def test_without_settings_the_ladder_judges_alone() -> None:
    assert isinstance(chosen(), Verifier)


def test_repairs_go_around_the_review() -> None:
    assert isinstance(chosen(gates={"reviewer": "policy"}, repair={"turns": 1}), Repairing)


def test_every_kind_of_reply_has_fixtures() -> None:
    assert min(len(replies(kind)) for kind in ("bad_", "good_", "unclear_")) >= 2
