"""Lines of a compressed file of the history, in bounded memory and time: a run's folder may be a stranger's."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import zstandard

from openspade.errors import StorageError

PIECE_BYTES = 1 << 18
WINDOW_BYTES = 1 << 25
LONGEST_LINE_BYTES = 1 << 26
"""An episode of 100,000 tokens takes about 5 MB."""
LIKELY_RATIO, SMALL_BYTES = 500, 1 << 22
"""A file may hold so many times its own size, and the second in any case; ours hold 5 to 20 times."""


def lines_of(path: Path) -> Iterator[bytes]:
    """Each line without its end. Raises StorageError where the file is missing, broken, or no history of ours."""
    parts: list[bytes] = []
    held = whole = 0
    try:
        with path.open("rb") as file, _decompressor().stream_reader(file) as stream:
            allowed = max(SMALL_BYTES, LIKELY_RATIO * os.fstat(file.fileno()).st_size)
            while piece := stream.read(PIECE_BYTES):
                whole += len(piece)
                first, *rest = piece.split(b"\n")
                parts.append(first)
                held += len(first)
                if rest:
                    yield b"".join(parts)
                    yield from rest[:-1]
                    parts, held = [rest[-1]], len(rest[-1])
                if held > LONGEST_LINE_BYTES or whole > allowed:
                    raise StorageError(f"{path} unpacks to more than a history holds: it is not read any further")
    except FileNotFoundError:
        raise StorageError(f"there is no {path}: that cycle was not stored, or its folder was moved") from None
    except (OSError, zstandard.ZstdError) as error:
        raise StorageError(f"{path} cannot be read ({error}): restore a copy") from error
    if held:
        yield b"".join(parts)


def _decompressor() -> zstandard.ZstdDecompressor:
    return zstandard.ZstdDecompressor(max_window_size=WINDOW_BYTES)
