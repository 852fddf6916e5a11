"""The loss, against numbers worked out by hand and against the formula in float64."""

import math

import pytest
import torch

from openspade.engine.training.grpo import Clip, LossParts, grpo_loss, row_weights

CLIP = Clip(0.2, 0.28, 2.0)


def loss_of(  # noqa: PLR0913
    new: list[float],
    sampled: list[float],
    advantage: float,
    *,
    old: list[float] | None = None,
    written: list[bool] | None = None,
    reference: list[float] | None = None,
    kl_weight: float = 0.0,
    clip: Clip = CLIP,
) -> tuple[LossParts, torch.Tensor]:
    logprobs = torch.tensor([new], requires_grad=True)
    marks = torch.tensor([written or [True] * len(new)])
    parts = grpo_loss(
        logprobs,
        torch.tensor([sampled]),
        torch.tensor([old or sampled]),
        torch.tensor([advantage]),
        marks,
        row_weights(marks.sum(-1).float(), "token-mean", batch_tokens=float(marks.sum()), batch_rows=1),
        clip,
        reference_logprobs=None if reference is None else torch.tensor([reference]),
        kl_weight=kl_weight,
    )
    parts.loss.backward()
    assert logprobs.grad is not None
    return parts, logprobs.grad


def test_an_unmoved_policy_has_the_loss_minus_the_advantage_and_the_gradient_of_reinforce():
    parts, gradient = loss_of([-1.0, -2.0], [-1.0, -2.0], 3.0)
    assert parts.loss.item() == pytest.approx(-3.0)
    assert gradient.tolist() == [[pytest.approx(-1.5), pytest.approx(-1.5)]]


@pytest.mark.parametrize(
    ("ratio", "advantage", "loss", "moves"),
    [
        (1.5, 1.0, -1.28, False),  # already likelier: no further push
        (1.1, 1.0, -1.1, True),
        (0.5, 1.0, -0.5, True),  # a good token that became unlikely is pushed back without a bound
        (0.5, -1.0, 0.8, False),  # already unlikelier: no further push
        (0.9, -1.0, 0.9, True),
        (1.5, -1.0, 1.5, True),  # a bad token that became likely is pushed back without a bound
    ],
)
def test_each_side_of_the_clip(ratio: float, advantage: float, loss: float, moves: bool):
    parts, gradient = loss_of([-2.0 + math.log(ratio)], [-2.0], advantage)
    assert parts.loss.item() == pytest.approx(loss, rel=1e-5)
    assert bool(gradient.abs().sum() > 0) is moves
    assert parts.clipped.item() is not moves


def test_the_samplers_error_weighs_at_most_the_cap():
    parts, _ = loss_of([-1.0, -1.0], [-2.5, -0.5], 1.0, old=[-1.0, -1.0], clip=Clip(0.9, 9.0, 2.0))
    expected = -(2.0 + math.exp(-0.5)) / 2
    assert parts.loss.item() == pytest.approx(expected, rel=1e-5)


def test_the_correction_carries_no_gradient():
    _, gradient = loss_of([-1.0], [-1.2], 1.0, old=[-1.0], clip=Clip(0.9, 9.0, 2.0))
    assert gradient.item() == pytest.approx(-math.exp(0.2), rel=1e-5)


def test_the_kl_term_is_the_low_variance_estimate():
    parts, _ = loss_of([-1.0], [-1.0], 0.0, reference=[-1.5], kl_weight=0.1)
    expected = math.exp(-0.5) + 0.5 - 1
    assert parts.kl.item() == pytest.approx(expected, rel=1e-5)
    assert parts.loss.item() == pytest.approx(0.1 * expected, rel=1e-5)


def test_kl_counts_written_positions_only():
    parts, _ = loss_of([-1.0, -1.0], [-1.0, -1.0], 0.0, written=[True, False], reference=[-1.5, -9.0], kl_weight=1.0)
    assert parts.kl[0, 1].item() == 0


@pytest.mark.parametrize("odd", [math.inf, -math.inf, math.nan, 1e30, -1e30])
def test_masked_positions_may_hold_anything(odd: float):
    clean, clean_gradient = loss_of([-1.0, 0.0], [-1.1, 0.0], 2.0, written=[True, False])
    parts, gradient = loss_of(
        [-1.0, odd], [-1.1, odd], 2.0, written=[True, False], old=[-1.0, odd], reference=[-1.0, odd], kl_weight=0.1
    )
    assert torch.isfinite(gradient).all() and gradient[0, 1] == 0
    assert gradient[0, 0].item() == pytest.approx(clean_gradient[0, 0].item(), rel=1e-4)
    assert math.isfinite(parts.loss.item()) and math.isfinite(clean.loss.item())


@pytest.mark.parametrize("gap", [500.0, -500.0])
def test_extreme_log_ratios_stay_finite(gap: float):
    for advantage in (1.0, -1.0):
        parts, gradient = loss_of([-1.0], [-1.0 - gap], advantage, reference=[-1.0 + gap], kl_weight=0.01)
        assert math.isfinite(parts.loss.item()) and torch.isfinite(gradient).all()


def test_token_mean_and_sequence_mean_weigh_tokens_as_named():
    tokens = torch.tensor([1.0, 4.0])
    by_token = row_weights(tokens, "token-mean", batch_tokens=5, batch_rows=2)
    by_sequence = row_weights(tokens, "sequence-mean", batch_tokens=5, batch_rows=2)
    assert by_token.tolist() == pytest.approx([0.2, 0.2])
    assert by_sequence.tolist() == pytest.approx([0.5, 0.125])


def test_a_row_without_written_tokens_weighs_nothing_and_breaks_nothing():
    weights = row_weights(torch.tensor([0.0, 2.0]), "sequence-mean", batch_tokens=2, batch_rows=2)
    assert torch.isfinite(weights).all()


def test_the_gradient_equals_the_formula_in_float64():
    torch.manual_seed(0)
    batch, time = 5, 7
    new, sampled, old, reference = (-torch.rand(batch, time, dtype=torch.float64) * 2 for _ in range(4))
    advantages, written = torch.randn(batch, dtype=torch.float64), torch.rand(batch, time) < 0.6
    weights = torch.full((batch,), 1.0 / float(written.sum()), dtype=torch.float64)
    new.requires_grad_()
    ratio = (new - old).exp()
    surrogate = torch.min(ratio * advantages[:, None], ratio.clamp(0.8, 1.28) * advantages[:, None])
    penalty = (reference - new).exp() - (reference - new) - 1
    whole = -surrogate * (old - sampled).exp().clamp(max=2.0) + 0.05 * penalty
    (expected,) = torch.autograd.grad((whole * written).sum() / written.sum(), new)
    singles = [tensor.detach().float() for tensor in (new, sampled, old, advantages)]
    singles[0].requires_grad_()
    parts = grpo_loss(*singles, written, weights.float(), CLIP, reference_logprobs=reference.float(), kl_weight=0.05)
    (got,) = torch.autograd.grad(parts.loss, singles[0])
    assert torch.allclose(got.double(), expected, atol=1e-6)
