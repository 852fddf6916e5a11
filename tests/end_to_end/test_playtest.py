"""Playtests with a scripted policy in the real sandbox."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import pytest

from openspade.assembly import build_playtester
from openspade.config import Config
from openspade.engine.scripted import ByteTokenizer, ScriptedEngine
from openspade.errors import EngineError, RunError
from openspade.recipe import parse
from openspade.roles.source import read_design
from openspade.rollout.episode import shorten
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.tokens import Completion, Prompt
from openspade.types import Design, Episode, Outcome, Playtest

GUESS = '''
from openspade_env import Game

class Guess(Game):
    """Guess a hidden letter."""
    skill = "logical deduction"
    hint = "It is a vowel."
    max_turns = {max_turns}

    def start(self, rng):
        self.secret = rng.choice("ae")
        return "Which letter?" + "{padding}"

    def act(self, action):
        {act}

    def solution(self):
        return [self.secret]
'''
HONEST = 'return self.win("Yes.") if action == self.secret else f"Not {action}."'


@pytest.fixture
async def pool() -> AsyncIterator[SandboxPool]:
    async with SandboxPool(Config().sandbox) as pool:
        yield pool


def design(act: str = HONEST, *, max_turns: int = 3, padding: str = "") -> Design:
    found = read_design(GUESS.format(act=act, max_turns=max_turns, padding=padding))
    assert isinstance(found, Design)
    return found


async def played(
    pool: SandboxPool,
    answer: Callable[[Prompt], str],
    *designs: Design,
    context_tokens: int = 10_000,
    **playtest: object,
) -> list[Playtest]:
    config = parse({"playtest": {"seeds": 3, "plays": 2, **playtest}, "agent": {"max_tokens": 200}})
    engine = ScriptedEngine(answer, context_tokens=context_tokens)
    return await build_playtester(config, engine, pool).playtest(list(designs), [], cycle=0)


def arm(playtest: Playtest, *, hinted: bool) -> list[Episode]:
    return [episode for episode in playtest.episodes if episode.hinted == hinted]


async def test_both_arms_are_played_on_the_same_seeds(pool: SandboxPool):
    (playtest,) = await played(pool, lambda prompt: r"\boxed{a}", design())
    seeds = [[episode.seed for episode in arm(playtest, hinted=hinted)] for hinted in (False, True)]
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == 3


async def test_the_hint_is_the_only_difference_between_the_arms(pool: SandboxPool):
    prompts: list[Prompt] = []
    await played(pool, lambda prompt: prompts.append(prompt) or r"\boxed{q}", design(max_turns=1))
    first = {prompt.messages[-1].content for prompt in prompts}
    assert first == {"Which letter?", "Which letter?\n\nHint: It is a vowel."}


async def test_a_wrong_move_goes_on_and_the_turn_limit_truncates(pool: SandboxPool):
    (playtest,) = await played(pool, lambda prompt: r"\boxed{q}", design())
    episode = playtest.episodes[0]
    assert (episode.outcome, episode.cause, len(episode.turns)) == (Outcome.TRUNCATED, "turns", 3)


async def test_a_crash_of_the_environment_is_void_and_not_a_failure_of_the_policy(pool: SandboxPool):
    (playtest,) = await played(pool, lambda prompt: r"\boxed{q}", design('raise RuntimeError("bug")'))
    assert {episode.outcome for episode in playtest.episodes} == {Outcome.VOID}
    assert playtest.fault == ""


async def test_a_design_that_hangs_is_disqualified_and_the_others_are_played(pool: SandboxPool):
    hangs, fine = await played(pool, lambda prompt: r"\boxed{a}", design("while True: pass"), design())
    assert hangs.fault == "hung"
    assert {episode.outcome for episode in fine.episodes} <= {Outcome.SOLVED, Outcome.TRUNCATED}


async def test_a_reward_out_of_range_disqualifies(pool: SandboxPool):
    (playtest,) = await played(pool, lambda prompt: r"\boxed{a}", design('return self.score(float("nan"), "?")'))
    assert playtest.fault in ("reward_range", "program")


async def test_a_reply_without_an_end_is_not_executed(pool: SandboxPool):
    (playtest,) = await played(pool, lambda prompt: "x" * 300, design())
    episode = playtest.episodes[0]
    assert (episode.outcome, episode.cause, episode.turns) == (Outcome.TRUNCATED, "tokens", ())


async def test_a_full_context_truncates_with_its_own_cause(pool: SandboxPool):
    (playtest,) = await played(pool, lambda prompt: r"\boxed{q}" + " " * 90, design(max_turns=9), context_tokens=450)
    assert {episode.cause for episode in playtest.episodes} == {"context"}


async def test_every_observation_stands_once_in_the_tokens(pool: SandboxPool):
    (playtest,) = await played(pool, lambda prompt: r"\boxed{q}", design())
    text = "".join(ByteTokenizer().decode(stream.ids) for stream in playtest.episodes[0].streams)
    assert text.count("Which letter?") == 1
    assert text.count("Not q.") == 2


async def test_an_over_long_observation_is_cut_visibly(pool: SandboxPool):
    prompts: list[Prompt] = []
    answer = lambda prompt: prompts.append(prompt) or r"\boxed{a}"  # noqa: E731
    await played(pool, answer, design(padding="x" * 3000), observation_tokens=500)
    assert "characters cut" in prompts[0].messages[-1].content
    assert len(prompts[0].messages[-1].content) < 600


async def test_an_engine_that_fails_throughout_halts_the_run_with_its_cause(pool: SandboxPool):
    class Down(ScriptedEngine):
        async def sample(self, requests: object) -> list[Completion]:
            raise EngineError("the server is gone")

    engine = Down(lambda prompt: "", context_tokens=1000)
    playtester = build_playtester(parse({}), engine, pool)
    with pytest.raises(RunError, match="the server is gone"):
        await playtester.playtest([design()], [], cycle=0)


def test_shorten_leaves_a_short_text_alone_and_keeps_both_ends_of_a_long_one():
    assert shorten("abc", 10, len) == "abc"
    cut = shorten("a" * 500 + "z" * 500, 200, len)
    assert len(cut) <= 200
    assert cut.startswith("aa")
    assert cut.endswith("zz")
