"""The gradient of a whole step, rows shared and packed, against the formula worked out plainly in float64."""

from __future__ import annotations

import random

import torch
from tests.tiny_models import tiny_llama, tiny_qwen3
from transformers import PreTrainedModel

from openspade.engine.training.trainer import Trainer
from openspade.settings.learning import TrainConfig
from openspade.tokens import TokenStream, Trajectory


def groups(seed: int) -> list[Trajectory]:
    """Plays of three prompts; log-probs as a sampler with other weights would report them."""
    rng = random.Random(seed)
    made = []
    for number in range(9):
        prompt = tuple(random.Random(number // 3).randrange(256) for _ in range(6 + number // 3))
        written = (True, *(rng.random() < 0.7 for _ in range(rng.randrange(3, 12))))
        ids = (*prompt, *(rng.randrange(256) for _ in written))
        logprobs = (*[0.0] * len(prompt), *(rng.uniform(-9, -3) if mark else 0.0 for mark in written))
        stream = TokenStream(ids=ids, written=(*[False] * len(prompt), *written), logprobs=logprobs)
        made.append(Trajectory(role="agent", stream=stream, advantage=rng.gauss(0, 1)))
    return made


def plain_loss(model: PreTrainedModel, played: list[Trajectory]) -> torch.Tensor:
    """docs/algorithm.md §4, one token after the other."""
    total, tokens = torch.zeros((), dtype=torch.float64), 0
    for trajectory in played:
        ids, advantage = trajectory.stream.ids, trajectory.advantage
        every = model(torch.tensor([ids])).logits[0].log_softmax(-1)
        for at, mark in enumerate(trajectory.stream.written):
            if mark:
                new, sampled = every[at - 1, ids[at]], trajectory.stream.logprobs[at]
                ratio, cap = (new - new.detach()).exp(), (new.detach() - sampled).exp().clamp(max=2.0)
                total = total - torch.min(ratio * advantage, ratio.clamp(0.8, 1.28) * advantage) * cap
                tokens += 1
    return total / tokens


def test_a_steps_gradient_equals_a_plain_one_in_float64():
    for make in (tiny_llama, tiny_qwen3):
        model, twin, played = make(), make().double(), groups(0)
        plain_loss(twin, played).backward()
        optimiser = torch.optim.SGD(model.parameters(), lr=0.0)
        Trainer(model=model, optimiser=optimiser, config=TrainConfig(grad_clip=1e9, tokens_per_batch=60)).learn(played)
        for ours, reference in zip(model.parameters(), twin.parameters(), strict=True):
            assert torch.allclose(ours.grad.double(), reference.grad, atol=1e-5, rtol=1e-3)
