"""Tiny random models with a byte-level tokenizer, made on the spot."""

from __future__ import annotations

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    Gemma2Config,
    Gemma2ForCausalLM,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedModel,
    Qwen3Config,
    Qwen3ForCausalLM,
)

from openspade.engine.chat.chat import TemplateChat
from openspade.engine.chat.template import Template
from openspade.engine.model.loading import FileTokenizer, Policy
from openspade.engine.scripted import CHATML

MARKS = ("<|im_start|>", "<|im_end|>", "<|endoftext|>")
VOCABULARY = 256 + len(MARKS)


def byte_tokenizer() -> Tokenizer:
    vocabulary = {letter: index for index, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(mark, special=True) for mark in MARKS])
    return tokenizer


def byte_chat(context_tokens: int = 512) -> TemplateChat:
    return TemplateChat(FileTokenizer(byte_tokenizer()), Template(CHATML, special={}), context_tokens=context_tokens)


def tiny_llama(seed: int = 0, *, width: int = 32, layers: int = 2) -> PreTrainedModel:
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return LlamaForCausalLM(LlamaConfig(**_shape(width, layers))).eval()


def tiny_qwen3(seed: int = 0, *, width: int = 32, layers: int = 2) -> PreTrainedModel:
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return Qwen3ForCausalLM(Qwen3Config(**_shape(width, layers), head_dim=16)).eval()


def tiny_gemma(seed: int = 0, *, width: int = 32, layers: int = 2) -> PreTrainedModel:
    """An architecture outside the compact path: capped logits, norms of its own."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return Gemma2ForCausalLM(Gemma2Config(**_shape(width, layers), head_dim=16, pad_token_id=0)).eval()


def tiny_policy(seed: int = 0, *, context_tokens: int = 512) -> Policy:
    return Policy(model=tiny_llama(seed), chat=byte_chat(context_tokens), folder=None)


def _shape(width: int, layers: int) -> dict[str, int | float | bool]:
    return {
        "vocab_size": VOCABULARY,
        "hidden_size": width,
        "intermediate_size": 2 * width,
        "num_hidden_layers": layers,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 1024,
        "initializer_range": 0.2,
        "tie_word_embeddings": True,
        "eos_token_id": None,
        "bos_token_id": None,
    }
