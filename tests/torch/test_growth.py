"""A policy that grows from a smaller one: the same words, more room."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from transformers import PreTrainedModel

from openspade.engine.model.expand_model import grow, size_of
from openspade.engine.model.new_model import LlamaSize, new_model
from openspade.errors import ConfigError
from openspade.nano.pretrain import pretrain

SMALL = LlamaSize(vocabulary=300, width=32, layers=2, heads=2, key_heads=1, hidden=48, context_tokens=64)
LARGE = LlamaSize(vocabulary=300, width=64, layers=3, heads=4, key_heads=2, hidden=80, context_tokens=128)
WORDS = torch.randint(0, 300, (2, 20), generator=torch.Generator().manual_seed(0))


def logits(model: PreTrainedModel) -> torch.Tensor:
    return model(WORDS).logits


def test_it_says_what_the_small_one_says() -> None:
    small = new_model(SMALL, 1)
    with torch.no_grad():
        for weight in small.parameters():  # norms as training leaves them
            weight.add_(0.1 * torch.randn(weight.shape, generator=torch.Generator().manual_seed(2)))
    large = grow(small, LARGE, 3)
    assert size_of(large) == LARGE
    torch.testing.assert_close(logits(large), logits(small), rtol=1e-5, atol=1e-5)


def test_every_new_weight_learns() -> None:
    large = grow(new_model(SMALL, 1), LARGE, 3)
    before = {name: weight.detach().clone() for name, weight in large.named_parameters()}
    optimiser = torch.optim.SGD(large.parameters(), lr=0.5)
    for _ in range(3):
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(logits(large)[:, :-1].flatten(0, 1), WORDS[:, 1:].flatten()).backward()
        optimiser.step()
    read = torch.zeros(LARGE.vocabulary, dtype=torch.bool).index_fill(0, WORDS.flatten(), True)
    for name, weight in large.named_parameters():
        moved = weight != before[name]
        assert (moved[read] if name.endswith("embed_tokens.weight") else moved).float().mean() > 0.9, name


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"layers": 1}, "model.layers is 1, less than the 2"),
        ({"vocabulary": 400}, "model.vocabulary is 400"),
        ({"heads": 8}, "width / heads is 8; it has to stay 16"),
        ({"key_heads": 4}, "heads / key_heads is 1; it has to stay 2"),
    ],
)
def test_a_shape_that_cannot_hold_the_small_one_is_refused(change: dict[str, int], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        grow(new_model(SMALL, 1), LARGE.model_copy(update=change), 3)


def test_a_recipe_can_begin_with_the_built_in_policy(tmp_path: Path) -> None:
    recipe = tmp_path / "base.toml"
    model = "vocabulary = 2048\nwidth = 192\nlayers = 4\nheads = 6\nkey_heads = 3\nhidden = 384\n"
    recipe.write_text(f'grown_from = "nano"\n[model]\n{model}[[phases]]\nlessons = 4\nlearning_rate = 1e-5\n')
    report = pretrain(recipe, tmp_path / "grown", plays=0)
    assert report.loss < 1.0  # a new one begins at ln 2048
