"""A larger policy that begins with a smaller one's skill (Net2Net: Chen, Goodfellow, Shlens 2016, arXiv 1511.05641)."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import torch
from transformers import PreTrainedModel

from openspade.engine.model.loading import find_folder, load_policy
from openspade.engine.model.new_model import LlamaSize, new_model
from openspade.errors import ConfigError

TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja")
WRITERS = ("embed_tokens.weight", "o_proj.weight", "down_proj.weight")
"""What is added to the residual stream. New parts read at random and write nothing: what to write they learn first."""


def grow_policy(name: str, shape: LlamaSize, seed: int, folder: Path) -> PreTrainedModel:
    """`grow` from the policy of that name, its tokenizer and chat template copied to the folder.

    Raises ConfigError; EngineError where there is no such policy.
    """
    source = find_folder(name)
    small = load_policy(str(source), context_tokens=shape.context_tokens)
    files = [source / file for file in TOKENIZER_FILES]
    if missing := [file.name for file in files if not file.exists()]:
        raise ConfigError(f"grown_from {name!r} has no {', '.join(missing)}; name a folder that pretrain made")
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        shutil.copyfile(file, folder / file.name)
    return grow(small.model, shape, seed)


def grow(small: PreTrainedModel, shape: LlamaSize, seed: int) -> PreTrainedModel:
    """A model of that shape with the log-probs of `small`, a Llama; new weights are the same for the same seed.

    Raises ConfigError where a Llama of that shape cannot hold the small one.
    """
    if small.config.model_type != "llama":
        raise ConfigError(f"grown_from is a {small.config.model_type}; only a Llama, as pretrain makes it, can grow")
    _check(size_of(small), shape)
    # The norms divide by the mean square over more entries, the new ones 0: their weights and epsilon make up for it.
    share = small.config.hidden_size / shape.width
    large = new_model(shape, seed, norm_epsilon=small.config.rms_norm_eps * share)
    known = dict(small.named_parameters())
    with torch.no_grad():
        for name, weight in large.named_parameters():
            is_norm = weight.dim() == 1
            if is_norm:
                weight.fill_(math.sqrt(share))
            elif name.endswith(WRITERS):
                weight.zero_()
            if name in known:
                corner = tuple(slice(0, size) for size in known[name].shape)
                weight[corner] = known[name] * (math.sqrt(share) if is_norm else 1.0)
    return large


def size_of(model: PreTrainedModel) -> LlamaSize:
    """The size of a Llama."""
    config = model.config
    return LlamaSize(
        vocabulary=config.vocab_size,
        width=config.hidden_size,
        layers=config.num_hidden_layers,
        heads=config.num_attention_heads,
        key_heads=config.num_key_value_heads,
        hidden=config.intermediate_size,
        context_tokens=config.max_position_embeddings,
    )


def _check(small: LlamaSize, large: LlamaSize) -> None:
    if large.vocabulary != small.vocabulary:
        raise ConfigError(f"model.vocabulary is {large.vocabulary}; the policy it grows from has {small.vocabulary}")
    for name in ("width", "layers", "heads", "key_heads", "hidden", "context_tokens"):
        if getattr(large, name) < getattr(small, name):
            raise ConfigError(
                f"model.{name} is {getattr(large, name)}, less than the {getattr(small, name)} to grow from"
            )
    for name, size, other in (
        ("width / heads", large.width / large.heads, small.width / small.heads),
        ("heads / key_heads", large.heads / large.key_heads, small.heads / small.key_heads),
    ):
        if size != other:
            raise ConfigError(f"model: {name} is {size:g}; it has to stay {other:g} where a policy grows")
