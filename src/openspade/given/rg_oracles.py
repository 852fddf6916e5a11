"""Answers that win where Reasoning Gym has none to give: four of its datasets score any solution and keep no example.

Standard library only: `benchmarks/rg_hard.py` freezes what these find.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Entry = Mapping[str, Any]
_MOVE = re.compile(r"(\d*)([A-Z])(w?)('?)")
_SIDE = 6
_EXIT = 2 * _SIDE + 4
"""Where the red car, two cells long in the third row, stands when it is out."""


def oracle_answer(dataset: str, entry: Entry) -> str:
    """An answer with full score."""
    if entry["answer"] is not None:
        return str(entry["answer"])
    if dataset not in _ORACLES:
        raise ValueError("no answer, and none that is found here")
    return _ORACLES[dataset](entry)


def colouring(entry: Entry) -> str:
    """graph_color keeps the colouring that proved its puzzle solvable."""
    return json.dumps(entry["metadata"]["possible_answer"])


def conclusion(entry: Entry) -> str:
    """propositional_logic keeps a conclusion that follows."""
    return entry["metadata"]["example_answer"]


def unscrambling(entry: Entry) -> str:
    """rubiks_cube: the scramble backwards, every move turned.

    The scorer drops moves that begin with the number of a layer, so these are written without: the first layer alone is
    a plain move, the second alone is both less the first.

    >>> unscrambling({"metadata": {"scramble_moves": "1Lw 2B Uw'"}})
    "Uw Bw' B L'"
    """
    moves = [_turned(*_parts(move)) for move in reversed(entry["metadata"]["scramble_moves"].split())]
    return " ".join(moves)


def _parts(move: str) -> tuple[int, str, bool, bool]:
    found = _MOVE.fullmatch(move)
    assert found, move
    layer, face, wide, turned = found.groups()
    return int(layer or (2 if wide else 1)), face, bool(wide), bool(turned)


def _turned(layer: int, face: str, wide: bool, turned: bool) -> str:
    if layer > 2:
        raise ValueError(f"a turn of layer {layer} has no name without its number")
    back, forth = ("", "'") if turned else ("'", "")
    if layer == 1:
        return f"{face}{back}"
    return f"{face}w{back}" if wide else f"{face}w{back} {face}{forth}"


def way_out(entry: Entry) -> str:
    """rush_hour: fewest moves that bring the red car to the exit, by breadth-first search."""
    board = entry["metadata"]["board_config"]
    cells = {label: [at for at, mark in enumerate(board) if mark == label] for label in sorted({*board} - {"o", "x"})}
    steps = [places[1] - places[0] for places in cells.values()]
    sizes = [len(places) for places in cells.values()]
    walls = sum(1 << at for at, mark in enumerate(board) if mark == "x")
    first = tuple(places[0] for places in cells.values())
    before: dict[tuple[int, ...], tuple[tuple[int, ...], str]] = {first: (first, "")}
    waiting = deque([first])
    while waiting:
        state = waiting.popleft()
        if state[0] == _EXIT:
            return " ".join(_moves_to(state, before))
        for car, by in _slides(state, steps, sizes, walls):
            found = (*state[:car], state[car] + by * steps[car], *state[car + 1 :])
            if found not in before:
                before[found] = (state, f"{chr(ord('A') + car)}{by:+d}")
                waiting.append(found)
    raise ValueError("the red car has no way out")


def _slides(state: tuple[int, ...], steps: list[int], sizes: list[int], walls: int) -> Iterator[tuple[int, int]]:
    """Each car and how far it can slide, in cells."""
    taken = walls
    for at, step, size in zip(state, steps, sizes, strict=True):
        for part in range(size):
            taken |= 1 << at + part * step
    for car, (at, step, size) in enumerate(zip(state, steps, sizes, strict=True)):
        place = at % _SIDE if step == 1 else at // _SIDE
        for by in range(1, place + 1):
            if taken >> at - by * step & 1:
                break
            yield car, -by
        end = at + (size - 1) * step
        for by in range(1, _SIDE - place - size + 1):
            if taken >> end + by * step & 1:
                break
            yield car, by


def _moves_to(state: tuple[int, ...], before: Mapping[tuple[int, ...], tuple[tuple[int, ...], str]]) -> list[str]:
    moves: list[str] = []
    while before[state][1]:
        state, move = before[state]
        moves.append(move)
    return moves[::-1]


_ORACLES: Mapping[str, Callable[[Entry], str]] = {
    "graph_color": colouring,
    "propositional_logic": conclusion,
    "rubiks_cube": unscrambling,
    "rush_hour": way_out,
}
