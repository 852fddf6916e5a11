"""A new policy from nothing: a tokenizer learnt from texts, and a small Llama with random weights."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from pathlib import Path

import torch
from pydantic import PositiveInt
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM, PreTrainedModel

from openspade.settings.section import Section

SPECIAL = ("<|pad|>", "<|end|>", "<|system|>", "<|user|>", "<|assistant|>", "<|tool|>")
END = "<|end|>"
LONGEST_TOKEN = 28
"""Characters; a token may span several words, so that a program of 700 characters is about 100 tokens."""

INITIAL_SPREAD, ITS_WIDTH = 0.06, 128
"""Standard deviation of new weights at that width; it falls with the root of the width (transformers' own 0.02 is meant
for widths of a thousand)."""


class LlamaSize(Section):
    """The size of a small Llama; embeddings are tied."""

    vocabulary: PositiveInt = 2048
    """Entries of the tokenizer."""
    width: PositiveInt = 128
    """Size of the residual stream."""
    layers: PositiveInt = 6
    """Blocks."""
    heads: PositiveInt = 4
    """Query heads."""
    key_heads: PositiveInt = 2
    """Key and value heads."""
    hidden: PositiveInt = 384
    """Size of the feed-forward layers."""
    context_tokens: PositiveInt = 1024
    """The longest conversation."""


def write_tokenizer(texts: Iterable[str], chat_template: str, vocabulary: int, folder: Path) -> None:
    """Byte-level BPE: digits and lone capitals stay single, all else may merge over word borders in a line."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(r"\d"), "isolated"),
            pre_tokenizers.Split(Regex(r"[A-Z](?![a-z])"), "isolated"),
            pre_tokenizers.Split(Regex(r"\n *"), "merged_with_next"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[AddedToken(text, special=True, normalized=False) for text in SPECIAL],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        max_token_length=LONGEST_TOKEN,
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": END, "pad_token": SPECIAL[0]}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
    (folder / "chat_template.jinja").write_text(chat_template, encoding="utf-8")


def use_one_thread() -> None:
    """Sums over threads depend on how many there are; with one, the same seed gives the same weights."""
    torch.set_num_threads(1)


def new_model(shape: LlamaSize, seed: int, *, norm_epsilon: float = 1e-6) -> PreTrainedModel:
    """A Llama with random weights, the same for the same seed."""
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=shape.vocabulary,
        hidden_size=shape.width,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.key_heads,
        intermediate_size=shape.hidden,
        max_position_embeddings=shape.context_tokens,
        tie_word_embeddings=True,
        initializer_range=INITIAL_SPREAD * math.sqrt(ITS_WIDTH / shape.width),
        rms_norm_eps=norm_epsilon,
        pad_token_id=0,
        bos_token_id=None,
        eos_token_id=SPECIAL.index(END),
    )
    return LlamaForCausalLM(config)


def write_model(model: PreTrainedModel, folder: Path) -> None:
    """The weights and their configuration, as transformers reads them."""
    model.generation_config = GenerationConfig(eos_token_id=SPECIAL.index(END), pad_token_id=0)
    model.save_pretrained(folder)
    (folder / "model.safetensors").chmod(0o644)
