"""Weights as a model without an adapter would have them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from torch import Tensor, nn


def merged_weight(linear: nn.Module) -> Tensor:
    """A linear's weight, an adapter's part added."""
    weight = getattr(linear, "base_layer", linear).get_parameter("weight").detach()
    for adapter in getattr(linear, "active_adapters", []):
        weight = weight + cast("Callable[[str], Tensor]", linear.get_delta_weight)(adapter).detach()
    return weight


def plain_weights(model: nn.Module) -> Iterator[tuple[str, Tensor]]:
    """Every weight under the name it has in the model's own files, one at a time; tied ones once."""
    for name, parameter in model.named_parameters():
        owner, adapted, kind = name.partition(".base_layer.")
        if adapted and kind == "weight":
            yield f"{owner}.weight", merged_weight(model.get_submodule(owner))
        elif ".lora_" not in name:
            yield name.replace(".base_layer.", "."), parameter.detach()
