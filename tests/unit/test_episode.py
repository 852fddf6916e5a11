"""One episode: budgets, outcomes and their causes, without a sandbox."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openspade.engine.chat.chat import TemplateChat
from openspade.engine.chat.template import Template
from openspade.engine.scripted import CHATML, ByteTokenizer, ScriptedEngine
from openspade.errors import EngineError, RunError
from openspade.roles.prompts import Prompts
from openspade.rollout.episode import Seat, Table, play_episode
from openspade.rollout.outage import OutageWatch
from openspade.rollout.sampler import Direct
from openspade.sandbox.base import Environment
from openspade.sandbox.failures import ProgramFault
from openspade.settings.worlds import PlaytestConfig
from openspade.tokens import Completion, Message, Prompt, Sampling
from openspade.types import Action, Episode, Observation, Outcome, StepResult
from tests.fakes import a_design, an_episode

Step = StepResult | ProgramFault
WON = StepResult(observation=Observation(text="Yes."), reward=1.0, terminated=True)
ON = StepResult(observation=Observation(text="Go on."), reward=0.25, terminated=False)


class Steps:
    """An environment that answers the given results, the last one for ever."""

    def __init__(self, *results: Step) -> None:
        self.description = SimpleNamespace(tools=())
        self._results = list(results)

    async def step(self, actions: Mapping[int, Action]) -> dict[int, Step]:
        return {0: self._results.pop(0) if len(self._results) > 1 else self._results[0]}


class Asked(ScriptedEngine):
    """Keeps every request."""

    def __init__(self, answer: Callable[[Prompt], str], context_tokens: int) -> None:
        super().__init__(answer, context_tokens=context_tokens)
        self.requests: list[Prompt] = []

    async def sample(self, requests: Any) -> list[Completion]:
        self.requests += requests
        return await super().sample(requests)


def play(
    *results: Step, said: str = r"\boxed{a}", context: int = 5000, first: str = "Begin.", **limits: Any
) -> tuple[Episode, list[Prompt]]:
    asked = limits.pop("max_tokens", 100)
    engine = Asked(lambda _: said, context)
    table = Table(
        chat=engine.chat,
        sampler=Direct(engine, 8),
        prompts=Prompts("compact"),
        sampling=Sampling(max_tokens=asked),
        limits=PlaytestConfig(**limits),
        policy_version=3,
    )
    environment = cast("Environment", Steps(*results))
    seat = Seat(design=a_design(), environment=environment, instance=0, seed=0, play=0, hinted=False, key="k")
    return asyncio.run(play_episode(seat, Observation(text=first), table)), engine.requests


def test_a57_p1_a_prompt_beyond_the_context_ends_the_episode_and_asks_for_nothing():
    episode, requests = play(ON, context=5)
    assert (episode.outcome, episode.cause, requests) == (Outcome.TRUNCATED, "context", [])


def test_a57_p2_a_reply_cut_by_length_is_not_read_as_a_move_and_not_a_failure():
    episode, _ = play(WON, said=r"\boxed{a}" + "x" * 200)
    assert (episode.outcome, episode.cause, episode.turns) == (Outcome.TRUNCATED, "tokens", ())


def test_a57_p3_an_overflow_returns_what_was_earned_until_then():
    _, (request, *_) = play(ON)
    episode, _ = play(ON, context=len(request.ids) + 20)
    assert episode.outcome is Outcome.TRUNCATED and episode.cause == "context" and episode.return_ == 0.25


def test_a57_p4_an_episode_that_is_won_is_won_however_full_the_context():
    _, (request, *_) = play(WON)
    episode, _ = play(WON, context=len(request.ids) + len(r"\boxed{a}") + 1)
    assert (episode.outcome, episode.return_, episode.cause) == (Outcome.SOLVED, 1.0, "")


def test_a58_the_episodes_budget_and_the_turns_are_two_limits_and_neither_is_overdrawn():
    episode, requests = play(ON, said=r"\boxed{a}", max_tokens=30, episode_tokens=25, max_turns=9)
    assert [request.sampling.max_tokens for request in requests] == [25, 15, 5]
    assert (episode.outcome, episode.cause) == (Outcome.TRUNCATED, "tokens")


def test_a63_an_observation_that_is_too_long_keeps_both_ends_and_says_what_is_missing():
    long = StepResult(observation=Observation(text="HEAD" + "x" * 900 + "TAIL"), reward=0, terminated=False)
    _, requests = play(long, max_turns=2, observation_tokens=200)
    told = requests[1].messages[-1].content
    assert told.startswith("HEAD") and told.endswith("TAIL") and "characters cut" in told and len(told) <= 200


def test_a21_an_episode_says_which_weights_played_it():
    assert play(WON)[0].policy_version == 3


def test_a37_an_outage_is_void_and_never_a_reward_of_0():
    class Down(ScriptedEngine):
        async def sample(self, requests: Any) -> list[Completion]:
            raise EngineError("503")

    engine = Down(lambda _: "")
    table = Table(
        chat=engine.chat,
        sampler=Direct(engine, 1),
        prompts=Prompts("compact"),
        sampling=Sampling(max_tokens=9),
        limits=PlaytestConfig(),
        policy_version=0,
    )
    environment = cast("Environment", Steps(ON))
    seat = Seat(design=a_design(), environment=environment, instance=0, seed=0, play=0, hinted=False, key="k")
    episode = asyncio.run(play_episode(seat, Observation(text="Begin."), table))
    assert (episode.outcome, episode.cause) == (Outcome.VOID, "infrastructure: 503")


REFUSING = CHATML.replace(
    "{%- for message in messages %}",
    "{%- for message in messages %}{%- if message.role == 'assistant' and REFUSED -%}"
    "{{ raise_exception('not this reply') }}{%- endif -%}",
)
REFUSALS = {
    "": "not message.content",
    "<|channel|>analysis": "'<|channel|>' in message.content",
    "a key": "message.content == 'a key' and {}[message.content].there.is.none",
    "a sum": "message.content == 'a sum' and 1 // 0",
}


def play_refusing(said: str) -> Episode:
    assert REFUSING != CHATML
    template = Template(REFUSING.replace("REFUSED", REFUSALS[said]), special={})
    engine = ScriptedEngine(lambda _: said)
    engine.chat = TemplateChat(ByteTokenizer(), template, context_tokens=9000)
    table = Table(
        chat=engine.chat,
        sampler=Direct(engine, 1),
        prompts=Prompts("compact"),
        sampling=Sampling(max_tokens=90),
        limits=PlaytestConfig(),
        policy_version=0,
    )
    environment = cast("Environment", Steps(ON))
    seat = Seat(design=a_design(), environment=environment, instance=0, seed=0, play=0, hinted=False, key="k")
    return asyncio.run(play_episode(seat, Observation(text="Begin."), table))


@pytest.mark.parametrize("said", REFUSALS)
def test_a_reply_that_the_template_refuses_ends_its_episode_and_stays_trained(said: str):
    episode = play_refusing(said)
    assert (episode.outcome, episode.cause.partition(":")[0]) == (Outcome.TRUNCATED, "refused")
    assert sum(sum(stream.written) for stream in episode.streams) == len(said) + 1


@pytest.mark.parametrize("said", REFUSALS)
def test_a_last_reply_that_the_template_refuses_costs_no_more_than_what_follows_it(said: str):
    template = Template(REFUSING.replace("REFUSED", REFUSALS[said]), special={})
    chat = TemplateChat(ByteTokenizer(), template, context_tokens=9000)
    conversation = chat.start([Message(role="user", content="Begin.")])
    prompt = conversation.prompt(Sampling(max_tokens=9), 0)
    assert prompt
    ids = (*ByteTokenizer().encode(said), chat.end_of_turn or 0)
    conversation.reply(Completion(ids=ids, logprobs=(0.0,) * len(ids), text=said, stop="stop"))
    conversation.tell([Message(role="user", content="Next.")])
    assert [stream.ids for stream in conversation.streams()] == [(*prompt.ids, *ids)]


def test_half_a_sign_in_what_is_told_is_read_as_a_question_mark():
    half = StepResult(observation=Observation(text="a \ud800 b"), reward=0, terminated=False)
    episode, requests = play(half, max_turns=2)
    assert episode.cause == "turns" and "a ? b" in ByteTokenizer().decode(requests[1].ids)


@settings(max_examples=60, deadline=None)
@given(
    context=st.integers(1, 700),
    max_tokens=st.integers(1, 40),
    episode_tokens=st.integers(1, 80),
    observation_tokens=st.integers(20, 60),
    said=st.text("ab", min_size=1, max_size=50),
    told=st.text("xyz", max_size=300),
)
def test_a65_whatever_the_limits_every_request_fits_and_every_cut_has_its_cause(
    context: int, max_tokens: int, episode_tokens: int, observation_tokens: int, said: str, told: str
):
    result = StepResult(observation=Observation(text=told), reward=0, terminated=False)
    limits = {"episode_tokens": episode_tokens, "observation_tokens": observation_tokens, "max_tokens": max_tokens}
    episode, requests = play(result, said=said, context=context, max_turns=4, **limits)
    asked = [request.sampling.max_tokens for request in requests]
    assert all(1 <= wanted <= min(max_tokens, context - len(r.ids)) for wanted, r in zip(asked, requests, strict=True))
    assert sum(sum(stream.written) for stream in episode.streams) <= episode_tokens
    assert episode.outcome is Outcome.TRUNCATED and episode.cause in {"tokens", "context", "turns"}


def lost(cause: str = "infrastructure: gone") -> Episode:
    return Episode(design_id="one", seed=0, play=0, hinted=False, outcome=Outcome.VOID, cause=cause)


async def ends_with(episode: Episode) -> tuple[Episode, str]:
    return episode, ""


async def seen(watch: OutageWatch, *episodes: Episode) -> None:
    plays: list[Awaitable[tuple[Episode, str]]] = [watch.watch(ends_with(episode)) for episode in episodes]
    for play in plays:
        await play


async def test_a41_as_many_losses_in_a_row_as_allowed_end_the_run_with_their_cause():
    with pytest.raises(RunError, match=r"3 episodes in a row .* the last to: infrastructure: gone"):
        await seen(OutageWatch(3), lost(), lost(), lost())


async def test_a41_one_episode_that_got_through_begins_the_count_anew():
    await seen(OutageWatch(3), *[lost(), lost(), an_episode(0.0)] * 4)


async def test_a41_what_programs_did_wrong_is_no_outage():
    await seen(OutageWatch(2), *[lost("hung"), lost("raised")] * 4)
