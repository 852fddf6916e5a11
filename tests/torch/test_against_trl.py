"""The gradient of TRL's loss on the same tensors, where TRL is installed (`pip install trl datasets accelerate`)."""

import random

import pytest
import torch
from benchmarks.engine import trl_inputs, trl_trainer
from tests.tiny_models import byte_tokenizer, tiny_llama

from openspade.engine.trainer import Trainer
from openspade.settings.learning import TrainConfig
from openspade.tokens import TokenStream, Trajectory

pytest.importorskip("trl")
pytest.importorskip("datasets")


def some_trajectories() -> list[Trajectory]:
    rng = random.Random(0)
    made = []
    for number in range(8):
        before, after = rng.randrange(3, 9), rng.randrange(2, 12)
        written = [True] + [rng.random() < 0.7 for _ in range(after - 1)]
        ids = tuple(rng.randrange(1, 250) for _ in range(before + after))
        stream = TokenStream(ids=ids, written=(*[False] * before, *written), logprobs=(0.0,) * len(ids))
        made.append(Trajectory(role="agent", stream=stream, advantage=(-1.0) ** number * (1 + number)))
    return made


def test_the_gradient_of_an_on_policy_step_is_trls(tmp_path):
    trajectories, model, twin = some_trajectories(), tiny_llama(), tiny_llama()
    theirs = trl_trainer(twin, byte_tokenizer(), tmp_path)
    theirs.compute_loss(twin, trl_inputs(trajectories)).backward()
    scored = [score_of(model, t) for t in trajectories]
    optimiser = torch.optim.SGD(model.parameters(), lr=0.0)
    Trainer(model=model, optimiser=optimiser, config=TrainConfig(grad_clip=1e9)).learn(scored)
    for ours, other in zip(model.parameters(), twin.parameters(), strict=True):
        assert torch.allclose(ours.grad, other.grad, atol=1e-5)


@torch.no_grad()
def score_of(model: torch.nn.Module, trajectory: Trajectory) -> Trajectory:
    """The trajectory as this model would have sampled it."""
    ids, written = trajectory.stream.ids, trajectory.stream.written
    every = model(torch.tensor([ids])).logits[0].log_softmax(-1)
    found = [every[k - 1, ids[k]].item() if mark and k else 0.0 for k, mark in enumerate(written)]
    stream = TokenStream(ids=ids, written=written, logprobs=tuple(found))
    return Trajectory(role="agent", stream=stream, advantage=trajectory.advantage)
