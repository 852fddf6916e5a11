"""LoRA: train a few small matrices beside frozen weights."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from safetensors import safe_open
from torch import nn
from transformers import PreTrainedModel

from openspade.engine.sampling.fused import is_fusable
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


def complete_adapter(folder: Path) -> None:
    """Names in an adapter's configuration what its weights belong to, where that is left out.

    SkyRL leaves it out; peft then loads two matrices of seven and drops the rest.
    """
    path, weights = folder / "adapter_config.json", folder / "adapter_model.safetensors"
    settings = json.loads(path.read_text(encoding="utf-8"))
    with safe_open(weights, framework="pt") as saved:
        targets = {name.partition(".lora_")[0].rpartition(".")[2] for name in saved.keys()}  # noqa: SIM118
    settings["target_modules"] = settings.get("target_modules") or sorted(targets)
    settings["task_type"] = settings.get("task_type") or "CAUSAL_LM"
    path.write_text(json.dumps(settings, indent=1), encoding="utf-8")


def _linear_names(model: PreTrainedModel) -> set[str]:
    head = model.get_output_embeddings()
    return {
        name.rpartition(".")[2]
        for name, module in model.named_modules()
        if isinstance(module, nn.Linear) and module is not head
    }
