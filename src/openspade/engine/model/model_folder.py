"""What may be wrong with a model's folder, each in one sentence: half a download, no tokenizer, broken files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from openspade.errors import EngineError

TOKENIZER_FILES = ("tokenizer.json", "tokenizer.model", "spiece.model", "vocab.json", "vocab.txt")
WEIGHT_FILES = ("*.safetensors", "*.bin")
LFS_POINTER = b"version https://git-lfs"


def refuse_incomplete(folder: Path) -> None:
    """EngineError where the folder lacks its configuration or weights, or a part of them."""
    if gguf_of(folder):
        return
    if not (folder / "config.json").exists():
        raise _broken(folder, "it has no config.json and no .gguf file")
    read_json(folder / "config.json")
    weights = sorted(path for pattern in WEIGHT_FILES for path in folder.glob(pattern))
    if not weights:
        raise _broken(folder, "it has no weights (*.safetensors); is the download complete?")
    for index in folder.glob("*.safetensors.index.json"):
        parts = read_json(index).get("weight_map")
        missing = sorted({str(part) for part in (parts or {}).values() if not (folder / str(part)).exists()})
        if missing:
            raise _broken(folder, f"{len(missing)} of its parts are missing ({missing[0]}); is the download complete?")
    for path in weights:
        refuse_pointer(path)


def refuse_pointer(path: Path) -> None:
    with path.open("rb") as file:
        if file.read(len(LFS_POINTER)) == LFS_POINTER:
            raise _broken(path.parent, f"{path.name} is a Git LFS pointer, not the file: run `git lfs pull` there")


def gguf_of(folder: Path) -> Path | None:
    """The GGUF of a folder that has nothing else."""
    return None if (folder / "config.json").exists() else next(folder.glob("*.gguf"), None)


def read_text(path: Path) -> str:
    refuse_pointer(path)
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise _broken(path.parent, f"{path.name} is not UTF-8 (byte {error.start}); download it again") from None


def read_json(path: Path) -> Mapping[str, Any]:
    """The object in a file, empty where there is no such file."""
    if not path.exists():
        return {}
    try:
        value = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise _broken(path.parent, f"{path.name} is not JSON ({error}); download it again") from None
    if not isinstance(value, dict):
        raise _broken(path.parent, f"{path.name} is not a JSON object")
    return value


def read_tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer.json of a folder."""
    text = read_text(folder / "tokenizer.json")
    try:
        return Tokenizer.from_str(text)
    except Exception as error:  # noqa: BLE001 - the library raises nothing narrower
        raise _broken(folder, f"tokenizer.json cannot be read ({first_line(error)}); download it again") from None


def refuse_no_tokenizer(folder: Path) -> None:
    if not gguf_of(folder) and not any((folder / name).exists() for name in TOKENIZER_FILES):
        raise _broken(folder, "it has no tokenizer (tokenizer.json)")


def first_line(error: BaseException) -> str:
    """What an error says, without the advice that follows it."""
    said = str(error).strip().splitlines()
    return f"{type(error).__name__}: {said[0][:200]}" if said else type(error).__name__


def _broken(folder: Path, what: str) -> EngineError:
    return EngineError(f"the model in {folder} cannot be loaded: {what}")
