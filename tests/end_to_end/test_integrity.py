"""Designs that try to know their arm, their place or the gates: none of them earns regret by it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from openspade.assembly import build_playtester
from openspade.credit.flags import HINT_HURTS, HINT_NEEDED, LUCK, SATURATED, measured_flags
from openspade.credit.regret import measure
from openspade.engine.scripted import ScriptedEngine
from openspade.recipe import parse
from openspade.roles.source import read_design
from openspade.rollout.alone import play_again_alone
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.settings.worlds import GatesConfig, SandboxConfig
from openspade.tokens import Prompt
from openspade.types import UNLIKE_ALONE, Design, Episode, Playtest
from openspade.verifier.gates.novelty import Nothing
from openspade.verifier.ladder import Verifier
from tests.end_to_end.test_gates import ANY_LIKENESS, draft_of

Answer = Callable[[Prompt], str]
HOSTILE = Path(__file__).parents[1] / "sandbox" / "hostile"
WHISPERS = sorted(path.stem for path in HOSTILE.glob("w*.py"))
# What stays of them when they run anew for each episode: nothing.
HARMLESS = {"d03_regret_forger", "w09_gate_seeds", "w14_mutable_default"}


@pytest.fixture
async def pool() -> AsyncIterator[SandboxPool]:
    async with SandboxPool(SandboxConfig(workers=1)) as pool:
        yield pool


def hostile(name: str) -> Design:
    found = read_design((HOSTILE / f"{name}.py").read_text())
    assert isinstance(found, Design)
    return found


async def played_with_nonsense(pool: SandboxPool, name: str, played_alone: int) -> Playtest:
    """What a player earns who always says 7; all of its episodes are drawn to be played again."""
    config = parse({"playtest": {"seeds": 4, "plays": 2, "played_alone": played_alone}, "agent": {"max_tokens": 200}})
    engine = ScriptedEngine(lambda _prompt: r"\boxed{7}", context_tokens=10_000)
    (playtest,) = await build_playtester(config, engine, pool).playtest([hostile(name)], [], cycle=0)
    return playtest


@pytest.mark.parametrize("name", [*WHISPERS, "d03_regret_forger", "d04_sleeper_by_frames"])
async def test_no_design_tells_the_arms_apart_and_what_knows_its_place_is_found_alone(pool: SandboxPool, name: str):
    playtest = await played_with_nonsense(pool, name, played_alone=16)
    arms: dict[bool, list[float]] = {False: [], True: []}
    for episode in playtest.episodes:
        arms[episode.hinted].append(episode.return_)
    if "address" not in name and "clock" not in name:
        assert arms[False] == arms[True]
    stats = measure(playtest)
    assert (playtest.fault == UNLIKE_ALONE and not stats.qualified) or stats.unaided_return in (0.0, 1.0)
    if name in HARMLESS:
        assert (playtest.fault, stats.unaided_return, stats.hinted_return) == ("", 0.0, 0.0)


async def test_an_honest_design_plays_the_same_alone(pool: SandboxPool):
    source = (Path(__file__).parents[2] / "examples" / "environments" / "buried_treasure.py").read_text()
    design = read_design(source)
    assert isinstance(design, Design)
    config = parse({"playtest": {"played_alone": 5}, "agent": {"max_tokens": 200}})
    engine = ScriptedEngine(lambda _prompt: r"\boxed{1 1}", context_tokens=10_000)
    (playtest,) = await build_playtester(config, engine, pool).playtest([design], [], cycle=0)
    assert (playtest.fault, playtest.alone) == ("", 5)


async def test_the_draw_of_what_is_played_again_follows_what_the_policy_said(pool: SandboxPool):
    playtest = await played_with_nonsense(pool, "d03_regret_forger", played_alone=0)
    seeds: list[int] = []

    class Watching:
        async def transcript(self, _source: str, seed: int, _actions: object) -> tuple[object, ...]:
            seeds.append(seed)
            return (None,)

    for said in "abcdefgh":
        episodes = [_saying(episode, said) for episode in playtest.episodes]
        again = await play_again_alone(Watching(), playtest.design, episodes, 1, "key")  # type: ignore[arg-type]
        assert again.fault == UNLIKE_ALONE
    assert len(set(seeds)) > 1


def _saying(episode: Episode, said: str) -> Episode:
    return replace(episode, turns=tuple(replace(turn, reply=said) for turn in episode.turns))


async def test_the_ladder_refuses_every_hostile_design(pool: SandboxPool):
    names = [*WHISPERS, "d01_tools_without_shape", "d03_regret_forger", "d04_sleeper_by_frames", "d06_plan_override"]
    drafts = [draft_of(f"```python\n{hostile(name).source}```\n", name) for name in names]
    deep = (HOSTILE / "d02_nested_plan.py").read_text()
    drafts += [draft_of(f"```python\n{deep.replace('DEPTH', str(n))}```\n", f"d02 {n}") for n in (40, 500, 981, 5000)]
    verdicts = await Verifier(pool, Nothing(), ANY_LIKENESS).verify(drafts)
    assert [verdict.draft.id for verdict in verdicts if verdict.accepted] == []
    assert len(verdicts) == len(names) + 4 == 22


class Failing(Nothing):
    """A memory that has a fault of its own with one program."""

    def nearest(self, source: str) -> tuple[str, float] | None:
        if "water" in source:
            raise KeyError("function")
        return None


async def test_a_gate_that_fails_at_one_draft_refuses_it_and_the_others_keep_their_verdicts(
    pool: SandboxPool, caplog: pytest.LogCaptureFixture
):
    good = (Path(__file__).parents[2] / "examples" / "environments" / "small_change.py").read_text()
    sources = {"bad": hostile("w14_mutable_default").source, "good": good}
    drafts = [draft_of(f"```python\n{source}```\n", name) for name, source in sources.items()]
    bad, fine = await Verifier(pool, Failing(), GatesConfig()).verify(drafts)
    assert fine.accepted and not bad.accepted
    assert (bad.gates[-1].gate, bad.gates[-1].ran, bad.gates[-1].note) == (
        "novel",
        False,
        "not judged: KeyError: 'function'",
    )
    assert "please report this" in caplog.text and "KeyError" in caplog.text


RULE_IN_HINT = '''
from openspade_env import Game, same_answer

class Machine(Game):
    """A machine turns two numbers into one."""
    skill = "causal inference"
    hint = "The machine multiplies the numbers and adds seventeen."
    max_turns = 1
    def start(self, rng):
        self.a, self.b = rng.randint(2, 30), rng.randint(2, 30)
        return f"The machine is fed {self.a} and {self.b}. What comes out?"
    def act(self, action):
        return self.win() if same_answer(action, self.a * self.b + 17, kind="number") else self.lose()
    def solution(self):
        return [str(self.a * self.b + 17)]
'''
COIN = '''
from openspade_env import Game

class Coin(Game):
    """Call the coin."""
    skill = "logical deduction"
    hint = "Trust your feeling."
    max_turns = 1
    def start(self, rng):
        self.side = rng.choice(["heads", "tails"])
        return f"Toss {rng.randint(1, 99999)}: heads or tails?"
    def act(self, action):
        return self.win() if action == self.side else self.lose()
    def solution(self):
        return [self.side]
'''


def sums(prompt: Prompt, *, follows_hint: bool, guess: int) -> str:
    """A player that multiplies, and adds what the hint says if it is told."""
    said = prompt.messages[-1].content
    one, other = map(int, re.findall(r"fed (\d+) and (\d+)", said)[0])
    return rf"\boxed{{{one * other + 17 if ('Hint:' in said) == follows_hint else guess}}}"


@pytest.mark.parametrize(
    ("source", "answer", "flag"),
    [
        (RULE_IN_HINT, lambda prompt: sums(prompt, follows_hint=True, guess=0), HINT_NEEDED),
        (RULE_IN_HINT, lambda prompt: sums(prompt, follows_hint=False, guess=0), HINT_HURTS),
        (RULE_IN_HINT, lambda prompt: rf"\boxed{{{eval_sum(prompt)}}}", SATURATED),
        (COIN, lambda prompt: rf"\boxed{{{['heads', 'tails'][prompt.seed % 2]}}}", LUCK),
    ],
    ids=["only with the hint", "not with the hint", "always", "a coin"],
)
async def test_plays_raise_the_flag_of_their_design(pool: SandboxPool, source: str, answer: Answer, flag: str):
    design = read_design(source)
    assert isinstance(design, Design)
    config = parse({"playtest": {"seeds": 12, "plays": 2}, "agent": {"max_tokens": 200}})
    engine = ScriptedEngine(answer, context_tokens=10_000)
    (playtest,) = await build_playtester(config, engine, pool).playtest([design], [], cycle=0)
    assert measured_flags(measure(playtest)) == (flag,)


def eval_sum(prompt: Prompt) -> int:
    one, other = map(int, re.findall(r"fed (\d+) and (\d+)", prompt.messages[-1].content)[0])
    return one * other + 17
