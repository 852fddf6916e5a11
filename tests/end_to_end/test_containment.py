"""One bad episode costs itself; an outage ends the run; nobody waits for ever."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from openspade.assembly import build_playtester
from openspade.config import Config
from openspade.engine.scripted import ScriptedEngine
from openspade.errors import EngineError, RunError
from openspade.recipe import parse
from openspade.roles.source import read_design
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.tokens import Completion
from openspade.types import Design, Outcome

GUESS = '''
from openspade_env import Game

class Guess(Game):
    """Guess a hidden letter."""
    skill = "logical deduction"
    hint = "It is a vowel."
    max_turns = 2

    def start(self, rng):
        self.secret = rng.choice("ae")
        return "Which letter?"

    def act(self, action):
        HOW

    def solution(self):
        return [self.secret]
'''
HONEST = 'return self.win("Yes.") if action == self.secret else "No."'


@pytest.fixture
async def pool() -> AsyncIterator[SandboxPool]:
    async with SandboxPool(Config().sandbox) as pool:
        yield pool


def design(how: str = HONEST) -> Design:
    found = read_design(GUESS.replace("HOW", how))
    assert isinstance(found, Design)
    return found


class Failing(ScriptedEngine):
    """Fails the requests whose number is in `failing`, counted from 0."""

    def __init__(self, failing: set[int], *, gathers: bool = False) -> None:
        super().__init__(lambda _: r"\boxed{a}", context_tokens=5000)
        self.capabilities = replace(self.capabilities, gathers=gathers)
        self._failing, self._count = failing, 0

    async def sample(self, requests: Any) -> list[Completion]:
        first, self._count = self._count, self._count + len(requests)
        if self._failing & set(range(first, self._count)):
            raise EngineError("a request was lost")
        return await super().sample(requests)


def settings(**playtest: Any) -> Config:
    return parse({"playtest": {"seeds": 2, "plays": 2, **playtest}, "agent": {"max_tokens": 50}})


async def test_a35_an_episode_whose_request_fails_twice_is_void_and_the_others_are_played(pool: SandboxPool):
    """SkyRL#1613: containment a rollout. Of eight episodes' requests the first and its second attempt fail."""
    engine = Failing({0, 8})
    (playtest,) = await build_playtester(settings(max_turns=1), engine, pool).playtest([design()], [], cycle=0)
    outcomes = [episode.outcome for episode in playtest.episodes]
    assert len(outcomes) == 8 and outcomes.count(Outcome.VOID) == 1 and playtest.fault == ""


async def test_a39_a_lost_episode_is_tried_once_more_in_a_fresh_environment(pool: SandboxPool):
    playtester = build_playtester(settings(max_turns=1), Failing({0, 3}), pool)
    (playtest,) = await playtester.playtest([design()], [], cycle=0)
    assert Outcome.VOID not in {episode.outcome for episode in playtest.episodes}


async def test_a41_an_outage_ends_the_run_long_before_every_episode_has_failed(pool: SandboxPool):
    engine = Failing(set(range(10_000)))
    playtester = build_playtester(settings(seeds=8, plays=8, concurrency=1, halt_after=5), engine, pool)
    with pytest.raises(RunError, match=r"5 episodes in a row .* a request was lost"):
        await playtester.playtest([design()], [], cycle=0)


@pytest.mark.parametrize("how", ["while True: pass", "raise SystemExit", HONEST])
async def test_a25_whatever_a_design_did_the_next_playtest_gets_its_seats(pool: SandboxPool, how: str):
    """prime#784: an engine that waits for all seated episodes must not wait for ones that are gone."""
    playtester = build_playtester(settings(), Failing(set(), gathers=True), pool)
    await playtester.playtest([design(how), design()], [], cycle=0)
    (playtest,) = await playtester.playtest([design()], [], cycle=1)
    assert Outcome.SOLVED in {episode.outcome for episode in playtest.episodes}
