"""Weights and optimiser state on disk: written aside, checked by hash, renamed in one step."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from openspade.errors import EngineError

OPTIMISER, MANIFEST = "optimiser.safetensors", "engine.json"


def write_directory(directory: Path, fill: Callable[[Path], None]) -> None:
    """`directory` appears whole or not at all, also when the machine stops meanwhile."""
    aside = directory.with_name(f"{directory.name}.partial")
    old = directory.with_name(f"{directory.name}.old")
    for left_over in (aside, old):
        shutil.rmtree(left_over, ignore_errors=True)
    aside.mkdir(parents=True)
    fill(aside)
    for path in [*aside.rglob("*"), aside]:
        _sync(path)
    if directory.exists():
        directory.rename(old)
    aside.rename(directory)
    _sync(directory.parent)
    shutil.rmtree(old, ignore_errors=True)


def save_state(directory: Path, model: nn.Module, optimiser: torch.optim.Optimizer, *, version: int) -> None:
    """Trained weights, optimiser state, and a manifest with their hashes, into an existing directory."""
    weights = weights_file(model)
    save_file(_weights(model), directory / weights, metadata={"format": "pt"})
    save_file(_optimiser_tensors(optimiser), directory / OPTIMISER)
    manifest = {"version": version, "sha256": {name: file_hash(directory / name) for name in (weights, OPTIMISER)}}
    (directory / MANIFEST).write_text(json.dumps(manifest, indent=1, sort_keys=True))


def load_state(directory: Path, model: nn.Module, optimiser: torch.optim.Optimizer) -> int:
    """The version saved; everything as it was, bit for bit."""
    manifest = _manifest(directory)
    weights = weights_file(model)
    if weights not in manifest["sha256"]:
        raise EngineError(f"{directory} holds no {weights}: it was saved with another policy.lora_rank")
    for name, expected in manifest["sha256"].items():
        if file_hash(directory / name) != expected:
            raise EngineError(
                f"{directory / name} is not what was saved (its SHA-256 differs); resume from an earlier checkpoint"
            )
    _restore(load_file(directory / weights), _weights(model), directory)
    tensors = load_file(directory / OPTIMISER)
    state: dict[int, dict[str, Tensor]] = {}
    for key, value in tensors.items():
        index, _, name = key.partition(".")
        state.setdefault(int(index), {})[name] = value
    optimiser.load_state_dict({"state": state, "param_groups": optimiser.state_dict()["param_groups"]})
    return int(manifest["version"])


def weights_file(model: nn.Module) -> str:
    """`model.safetensors`, or `adapter.safetensors` when only an adapter is trained."""
    return "model.safetensors" if all(p.requires_grad for p in model.parameters()) else "adapter.safetensors"


def file_hash(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    digest = sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def _weights(model: nn.Module) -> dict[str, Tensor]:
    """What is trained; tied weights once."""
    return {name: parameter.detach() for name, parameter in model.named_parameters() if parameter.requires_grad}


def _restore(saved: Mapping[str, Tensor], target: Mapping[str, Tensor], directory: Path) -> None:
    if saved.keys() != target.keys():
        odd = sorted(saved.keys() ^ target.keys())[:3]
        raise EngineError(
            f"{directory} holds weights of another model: {', '.join(odd)} are in one and not in the other"
        )
    for name, value in saved.items():
        if value.shape != target[name].shape:
            raise EngineError(
                f"{directory}: {name} has shape {list(value.shape)}, the model wants {list(target[name].shape)}"
            )
        target[name].copy_(value)


def _optimiser_tensors(optimiser: torch.optim.Optimizer) -> dict[str, Tensor]:
    state: dict[int, dict[str, Tensor]] = optimiser.state_dict()["state"]
    return {f"{index}.{name}": value.contiguous() for index, entry in state.items() for name, value in entry.items()}


def _manifest(directory: Path) -> dict[str, Any]:
    try:
        return json.loads((directory / MANIFEST).read_text())
    except (OSError, ValueError) as error:
        raise EngineError(f"{directory} holds no complete checkpoint: {error}") from error


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
