"""LoRA: train a few small matrices beside frozen weights."""

from __future__ import annotations

import torch
from torch import nn
from transformers import PreTrainedModel

from openspade.engine.fused import is_fusable
from openspade.errors import EngineError

PROJECTIONS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


def add_adapter(model: PreTrainedModel, rank: int) -> None:
    """Puts an adapter of that rank beside every linear of the model's layers, and freezes all else.

    The adapter begins as nothing, from a fixed seed: two engines of one config start alike.
    """
    try:
        from peft import LoraConfig, inject_adapter_in_model  # noqa: PLC0415 - only LoRA needs it
    except ImportError as error:
        raise EngineError(f"policy.lora_rank is {rank}, and peft is not installed: pip install peft") from error

    targets = PROJECTIONS if is_fusable(model) else sorted(_linear_names(model))
    with torch.random.fork_rng():
        torch.manual_seed(0)
        inject_adapter_in_model(LoraConfig(r=rank, lora_alpha=2 * rank, target_modules=targets), model)
    for name, parameter in model.named_parameters():
        parameter.requires_grad_("lora_" in name)


def _linear_names(model: PreTrainedModel) -> set[str]:
    head = model.get_output_embeddings()
    return {
        name.rpartition(".")[2]
        for name, module in model.named_modules()
        if isinstance(module, nn.Linear) and module is not head
    }
