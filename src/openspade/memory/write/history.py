"""Everything that was said, whole: a compressed file of episodes and one of drafts for each cycle.

The database only indexes them. A file is written aside and renamed before the cycle commits, so a committed cycle
always has its files; a file of a cycle that never committed is overwritten when that cycle is run again.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import zstandard

from openspade.errors import StorageError
from openspade.memory.archive import lines_of
from openspade.tokens import TokenStream
from openspade.types import Action, CycleReport, Episode, Observation, Outcome, ToolCall, Turn, Verdict

COMPRESSION_LEVEL = 6


def write_history(run_directory: Path, report: CycleReport) -> None:
    """The cycle's episodes, in the order of its playtests, and its drafts, in the order of its verdicts."""
    episodes = (episode for playtest in report.playtests for episode in playtest.episodes)
    _write(episodes_path(run_directory, report.cycle), (_line(episode) for episode in episodes))
    drafts = (_line(_draft(verdict)) for verdict in report.verdicts)
    _write(drafts_path(run_directory, report.cycle), drafts)


def read_episodes(run_directory: Path, cycle: int) -> list[Episode]:
    """A cycle's episodes as they were played, tokens included."""
    return [to_episode(line) for line in _read(episodes_path(run_directory, cycle))]


def read_drafts(run_directory: Path, cycle: int) -> list[Mapping[str, Any]]:
    """A cycle's drafts: `id`, `brief_id`, `text` verbatim, `design_id` ('' without one) and `streams`."""
    return list(_read(drafts_path(run_directory, cycle)))


def count_lines(path: Path) -> int:
    """How many lines a file holds, read to its end. Raises StorageError where it is missing or broken."""
    return sum(1 for _ in lines_of(path))


def episodes_path(run_directory: Path, cycle: int) -> Path:
    """Where a cycle's episodes lie."""
    return run_directory / "episodes" / f"cycle_{cycle:06d}.jsonl.zst"


def drafts_path(run_directory: Path, cycle: int) -> Path:
    """Where a cycle's drafts lie."""
    return run_directory / "drafts" / f"cycle_{cycle:06d}.jsonl.zst"


def _draft(verdict: Verdict) -> Mapping[str, object]:
    draft = verdict.draft
    return {
        "id": draft.id,
        "brief_id": draft.brief.id,
        "text": draft.text,
        "design_id": draft.design.id if draft.design else "",
        "streams": draft.streams,
        "policy_version": draft.policy_version,
        "repairs": draft.repairs,
    }


def _line(item: object) -> bytes:
    try:
        return msgspec.json.encode(item) + b"\n"
    except UnicodeEncodeError:
        # A program may print half a surrogate pair; JSON can hold it escaped.
        return json.dumps(msgspec.to_builtins(item)).encode("ascii") + b"\n"


def _write(path: Path, lines: Iterable[bytes]) -> None:
    aside = path.with_name(path.name + ".partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with aside.open("wb") as file:
            # With a checksum, so that a reader notices a byte that changed on the disk.
            compressor = zstandard.ZstdCompressor(level=COMPRESSION_LEVEL, write_checksum=True)
            with compressor.stream_writer(file, closefd=False) as stream:
                for line in lines:
                    stream.write(line)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written ({error.strerror}): free some space or make the folder writable, then resume; "
            f"nothing of the running cycle was stored"
        ) from error


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _read(path: Path) -> Iterator[dict[str, Any]]:
    yield from map(json.loads, lines_of(path))


def to_episode(stored: Mapping[str, Any]) -> Episode:
    """An episode as it was written. Raises StorageError for what is none."""
    try:
        return Episode(
            **{
                **stored,
                "outcome": Outcome(stored["outcome"]),
                "turns": tuple(_turn(turn) for turn in stored["turns"]),
                "streams": tuple(to_stream(stream) for stream in stored["streams"]),
            }
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise StorageError(f"a line of the history is no episode ({error!r}): restore a copy of the run") from error


def _turn(stored: Mapping[str, Any]) -> Turn:
    action, observation = stored["action"], stored["observation"]
    return Turn(
        reply=stored["reply"],
        action=Action(text=action["text"], calls=tuple(ToolCall(**call) for call in action["calls"])),
        observation=Observation(text=observation["text"], results=tuple(observation["results"])),
        reward=stored["reward"],
    )


def to_stream(stored: Mapping[str, Sequence[Any]]) -> TokenStream:
    """A token stream as it was written."""
    # JSON has no nan: a log-prob that was none is null there.
    logprobs = (math.nan if value is None else value for value in stored["logprobs"])
    return TokenStream(ids=tuple(stored["ids"]), written=tuple(stored["written"]), logprobs=tuple(logprobs))
