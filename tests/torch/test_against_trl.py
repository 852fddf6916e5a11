"""TRL's loss on the same tensors, case by case, and its gradient through a model (`pip install trl`)."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.tiny_models import tiny_llama

from openspade.credit.advantage import Earned, advantages
from openspade.engine.training.grpo import Clip, grpo_loss, row_weights
from openspade.engine.training.trainer import Trainer
from openspade.settings.learning import TrainConfig
from openspade.tokens import TokenStream, Trajectory

pytest.importorskip("trl")
from benchmarks.trl_baseline import trl_inputs, trl_trainer
from trl import GRPOTrainer

CAP = 2.0


@dataclass(frozen=True, kw_only=True)
class Case:
    """Log-probs of two rows of two tokens; `written` masks, `reference` turns the KL term on."""

    new: list[list[float]]
    sampled: list[list[float]]
    advantages: list[float]
    written: list[list[bool]]
    old: list[list[float]] | None = None
    reference: list[list[float]] | None = None


EVEN = [[-1.0, -2.0], [-0.5, -3.0]]
ALL = [[True, True], [True, True]]
UP = [[-1.0 + math.log(1.5), -2.0 + math.log(1.1)], [-0.5 + math.log(1.5), -3.0 + math.log(1.1)]]
DOWN = [[-1.0 + math.log(0.5), -2.0 + math.log(0.9)], [-0.5 + math.log(0.5), -3.0 + math.log(0.9)]]
ON_POLICY = Case(new=EVEN, sampled=EVEN, advantages=[1.0, -1.0], written=ALL)
CASES = {
    "two_tokens": ON_POLICY,
    "likelier_than_the_upper_clip": replace(ON_POLICY, new=UP),
    "unlikelier_than_the_lower_clip": replace(ON_POLICY, new=DOWN),
    "all_advantages_negative": replace(ON_POLICY, new=UP, advantages=[-1.0, -0.3]),
    "all_advantages_positive": replace(ON_POLICY, new=DOWN, advantages=[2.0, 0.7]),
    "a_masked_token": replace(ON_POLICY, new=UP, written=[[True, False], [True, True]]),
    "a_kl_penalty": replace(ON_POLICY, new=UP, reference=[[-1.5, -2.0], [-0.4, -2.0]]),
    "the_samplers_error_capped": replace(ON_POLICY, new=UP, old=[[0.0, -2.5], [-0.4, -3.1]]),
}


class Given(GRPOTrainer):
    """TRL's loss over log-probs that are given instead of worked out."""

    logprobs: torch.Tensor

    def _get_per_token_logps_and_entropies(self, *_: Any, **__: Any) -> Any:
        return self.logprobs, torch.zeros_like(self.logprobs), None


def theirs(case: Case, directory: Path) -> tuple[float, torch.Tensor]:
    trainer = trl_trainer(tiny_llama(), directory, kind=Given, use_bias_correction_kl=False)
    trainer.beta = 0.1 if case.reference else 0.0
    trainer.logprobs = torch.tensor(case.new, requires_grad=True)
    sampled, old = torch.tensor(case.sampled), torch.tensor(case.old or case.sampled)
    trainer.use_vllm, trainer.vllm_importance_sampling_correction = True, True
    ids = torch.ones(2, 2, dtype=torch.long)
    loss = trainer.compute_loss(
        trainer.model,
        {
            "prompt_ids": ids,
            "prompt_mask": ids,
            "completion_ids": ids,
            "completion_mask": ids,
            "tool_mask": torch.tensor(case.written).long(),
            "advantages": torch.tensor(case.advantages),
            "old_per_token_logps": old,
            "importance_sampling_ratio": (old - sampled).exp().clamp(max=CAP),
            "ref_per_token_logps": torch.tensor(case.reference or case.sampled),
            "num_items_in_batch": torch.tensor(case.written).sum(),
        },
    )
    loss.backward()
    return loss.item(), trainer.logprobs.grad


def ours(case: Case) -> tuple[float, torch.Tensor]:
    new, written = torch.tensor(case.new, requires_grad=True), torch.tensor(case.written)
    parts = grpo_loss(
        new,
        torch.tensor(case.sampled),
        torch.tensor(case.old or case.sampled),
        torch.tensor(case.advantages),
        written,
        row_weights(written.sum(-1).float(), "token-mean", batch_tokens=float(written.sum()), batch_rows=2),
        Clip(0.2, 0.28, CAP),
        reference_logprobs=torch.tensor(case.reference) if case.reference else None,
        kl_weight=0.1,
    )
    parts.loss.backward()
    return parts.loss.item(), new.grad


@pytest.mark.parametrize("name", CASES)
def test_loss_and_gradient_are_trls(name: str, tmp_path: Path):
    (loss, gradient), (expected, reference) = ours(CASES[name]), theirs(CASES[name], tmp_path)
    assert loss == pytest.approx(expected, abs=1e-6)
    assert torch.allclose(gradient, reference, atol=1e-6)


@pytest.mark.parametrize("rewards", [[0.7], [0.5, 0.5]], ids=["a_group_of_one", "equal_rewards"])
def test_what_is_dropped_here_has_no_gradient_there(rewards: list[float], tmp_path: Path):
    stream = TokenStream(ids=(1, 2), written=(False, True), logprobs=(0.0, -1.0))
    earned = [Earned(role="agent", group=0, reward=reward, streams=(stream,)) for reward in rewards]
    assert advantages(earned, "std", {"agent": 1.0}) == []
    loss, gradient = theirs(replace(ON_POLICY, new=UP, advantages=[0.0, 0.0]), tmp_path)
    assert loss == 0 and not gradient.any()


@pytest.mark.parametrize("odd", [math.inf, -math.inf, math.nan])
def test_a_masked_infinity_gives_what_trl_gives_without_it(odd: float, tmp_path: Path):
    """TRL multiplies by the mask, so an infinity under it becomes NaN; ours never reaches exp."""
    clean = CASES["a_masked_token"]
    loss, gradient = ours(replace(clean, new=[[clean.new[0][0], odd], clean.new[1]]))
    expected, reference = theirs(clean, tmp_path)
    assert loss == pytest.approx(expected, abs=1e-6) and torch.allclose(gradient, reference, atol=1e-6)


def test_the_gradient_of_a_whole_step_is_trls(tmp_path: Path):
    trajectories, model, twin = some_trajectories(), tiny_llama(), tiny_llama()
    trl_trainer(twin, tmp_path).compute_loss(twin, trl_inputs(trajectories)).backward()
    optimiser = torch.optim.SGD(model.parameters(), lr=0.0)
    scored = [score_of(model, t) for t in trajectories]
    Trainer(model=model, optimiser=optimiser, config=TrainConfig(grad_clip=1e9)).learn(scored)
    for ours, other in zip(model.parameters(), twin.parameters(), strict=True):
        assert torch.allclose(ours.grad, other.grad, atol=1e-5)


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


@torch.no_grad()
def score_of(model: torch.nn.Module, trajectory: Trajectory) -> Trajectory:
    """The trajectory as this model would have sampled it."""
    ids, written = trajectory.stream.ids, trajectory.stream.written
    every = model(torch.tensor([ids])).logits[0].log_softmax(-1)
    found = [every[k - 1, ids[k]].item() if mark and k else 0.0 for k, mark in enumerate(written)]
    stream = TokenStream(ids=ids, written=written, logprobs=tuple(found))
    return Trajectory(role="agent", stream=stream, advantage=trajectory.advantage)
