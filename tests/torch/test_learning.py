"""The whole engine learns: a bandit and a two-turn game reach 0.95 from five starts."""

from __future__ import annotations

from statistics import fmean, pstdev

import pytest
from tests.tiny_models import tiny_policy

from openspade.engine.base import Conversation
from openspade.engine.local import LocalEngine
from openspade.settings.learning import PolicyConfig, TrainConfig
from openspade.tokens import Message, Sampling, Trajectory

PLAYS = 32
ONE_TOKEN = Sampling(max_tokens=1)


def an_engine(seed: int) -> LocalEngine:
    train = TrainConfig(learning_rate=1e-2, weight_decay=0.0)
    return LocalEngine(PolicyConfig(device="cpu", batch_rows=PLAYS), train, loaded=tiny_policy(seed))


async def ask(engine: LocalEngine, conversations: list[Conversation], step: int, turn: int) -> list[int]:
    prompts = [c.prompt(ONE_TOKEN, 1000 * step + 100 * turn + k) for k, c in enumerate(conversations)]
    completions = await engine.sample([prompt for prompt in prompts if prompt])
    for conversation, completion in zip(conversations, completions, strict=True):
        conversation.reply(completion)
    return [completion.ids[0] for completion in completions]


async def learn(engine: LocalEngine, conversations: list[Conversation], rewards: list[float]) -> None:
    mean, spread = fmean(rewards), pstdev(rewards)
    await engine.learn(
        [
            Trajectory(role="agent", stream=stream, advantage=(reward - mean) / (spread + 1e-6))
            for conversation, reward in zip(conversations, rewards, strict=True)
            for stream in conversation.streams()
            if spread
        ]
    )


@pytest.mark.parametrize("seed", range(5))
async def test_a_bandit_is_solved(seed: int):
    """Reward for one quarter of the first tokens."""
    engine, recent = an_engine(seed), [0.0]
    for step in range(40):
        conversations = [engine.chat.start([Message(role="user", content="go")]) for _ in range(PLAYS)]
        rewards = [float(token % 4 == 0) for token in await ask(engine, conversations, step, 0)]
        await learn(engine, conversations, rewards)
        recent = [*recent[-2:], fmean(rewards)]
    assert fmean(recent) >= 0.95


@pytest.mark.parametrize("seed", range(5))
async def test_a_game_of_two_turns_is_solved(seed: int):
    """Odd first, then even; what the environment says in between depends on the first answer."""
    engine, recent = an_engine(seed), [0.0]
    for step in range(60):
        conversations = [engine.chat.start([Message(role="user", content="go")]) for _ in range(PLAYS)]
        first = await ask(engine, conversations, step, 0)
        for conversation, token in zip(conversations, first, strict=True):
            conversation.tell([Message(role="user", content=("low", "high")[token % 2])])
        second = await ask(engine, conversations, step, 1)
        rewards = [float(a % 2 == 1 and b % 2 == 0) for a, b in zip(first, second, strict=True)]
        await learn(engine, conversations, rewards)
        recent = [*recent[-2:], fmean(rewards)]
    assert fmean(recent) >= 0.95
