"""One line of a cycle's files, without reading the others into memory: an episode, a first observation, a draft."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from openspade.errors import StorageError
from openspade.memory.archive import lines_of
from openspade.memory.write.history import drafts_path, episodes_path, to_episode
from openspade.types import Episode


class _First(msgspec.Struct):
    first_observation: str = ""


class _Named(msgspec.Struct):
    id: str = ""


def read_episode(run_directory: Path, cycle: int, line: int) -> Episode:
    """One episode, whole. Raises StorageError."""
    for place, text in enumerate(lines_of(episodes_path(run_directory, cycle))):
        if place == line:
            return to_episode(_decoded(text))
    raise StorageError(f"{episodes_path(run_directory, cycle)} holds no episode {line}")


def first_observation(run_directory: Path, cycle: int, line: int) -> str:
    """What the player of an episode read first. Raises StorageError."""
    for place, text in enumerate(lines_of(episodes_path(run_directory, cycle))):
        if place == line:
            try:
                return msgspec.json.decode(text, type=_First).first_observation
            except (msgspec.DecodeError, UnicodeDecodeError):
                return str(_decoded(text).get("first_observation", ""))
    raise StorageError(f"{episodes_path(run_directory, cycle)} holds no episode {line}")


def read_draft(run_directory: Path, cycle: int, draft_id: str) -> Mapping[str, Any]:
    """What the Designer wrote: `text` verbatim and `streams`. Raises StorageError."""
    for text in lines_of(drafts_path(run_directory, cycle)):
        stored = _decoded(text)
        if stored.get("id") == draft_id:
            return stored
    raise StorageError(f"{drafts_path(run_directory, cycle)} holds no draft {draft_id}")


def _decoded(text: bytes) -> Mapping[str, Any]:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise StorageError(f"a line of the history is damaged ({error}): restore a copy of the run") from error
