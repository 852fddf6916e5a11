"""Which of Reasoning Gym's datasets a pool may have, and up to which level. Needs the extra `eval`.

python benchmarks/rg_pool.py    # src/openspade/given/rg_pool.toml, and why a dataset ends where it ends

A level counts when all of 8 questions are made within half a second of CPU (the sandbox allows one), after at most a
second for the word lists (it allows two), are no longer than 6,000 characters, have an answer no longer that gets the
full score, are the same whatever was asked before, and at least 4 of them differ. Levels beyond the first that fails
are not offered.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from reasoning_gym.factory import CURRICULA, DATASETS

from openspade.given import rg_pool
from openspade.given.reasoning_gym import Generated

TABLE = Path(rg_pool.__file__).with_name("rg_pool.toml")
SEEDS = 8
MOST_BUILDING_S, MOST_ASKING_S, LONGEST_CHARS, FEWEST_QUESTIONS = 1.0, 0.5, 6_000, 4
LEFT_OUT = {
    "codeio": "runs bundled programs with whatever they import",
    "coin_flip": "its scorer takes 0 for nearly every answer",
    "composite": "is made of the others",
    "game_of_life_halting": "its scorer takes any text",
}


class Unfit(Exception):
    """Why a level is not offered."""


@contextmanager
def cpu_limit(seconds: float, doing: str) -> Iterator[None]:
    """Unfit where the block uses more CPU."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise Unfit(f"more than {seconds:g} s of CPU for {doing}")

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def judge(name: str, level: int) -> float:
    """CPU seconds of the slowest question. Raises Unfit."""
    with cpu_limit(MOST_BUILDING_S, "its lists"):
        game = type("Asked", (Generated,), {"dataset": name, "level": level})
    slowest, asked = 0.0, {}
    for seed in range(SEEDS):
        started = time.process_time()
        with cpu_limit(MOST_ASKING_S, "a question"):
            asked[seed] = ask(game(), seed)
        slowest = max(slowest, time.process_time() - started)
    for seed in random.Random(0).sample(range(SEEDS), 2):
        if ask(game(), seed) != asked[seed]:
            raise Unfit("a question that follows those before")
    if len(set(asked.values())) < FEWEST_QUESTIONS:
        raise Unfit(f"fewer than {FEWEST_QUESTIONS} different questions for {SEEDS} seeds")
    return slowest


def ask(game: Generated, seed: int) -> str:
    question, _ = game.reset(seed=seed)
    if len(question) > LONGEST_CHARS:
        raise Unfit(f"questions of more than {LONGEST_CHARS:,} characters")
    answer = game.plan()[0]
    if len(answer) > LONGEST_CHARS:
        raise Unfit(f"answers of more than {LONGEST_CHARS:,} characters")
    if game.step(answer)[1] < 1:
        raise Unfit("an answer of its own that its scorer refuses")
    return question


def highest(name: str) -> tuple[int, str]:
    """The levels that are offered, and why not more."""
    steps = [len(attribute.levels) for attribute in CURRICULA[name]().attributes.values()] if name in CURRICULA else [1]
    for level in range(1, max(steps, default=1) + 1):
        try:
            slowest = judge(name, level)
        except Unfit as unfit:
            return level - 1, str(unfit)
        except Exception as error:  # noqa: BLE001 - whatever upstream raises on its own settings
            return level - 1, f"{type(error).__name__}: {error}".splitlines()[0]
        print(f"{name} {level}: {slowest:.2f} s", file=sys.stderr, flush=True)
    return max(steps, default=1), ""


def write() -> None:
    levels, left_out = {}, dict(LEFT_OUT)
    for name in sorted(DATASETS.keys() - LEFT_OUT.keys()):
        top, why = highest(name)
        if top:
            levels[name] = f"{name} = {top}" + (f"  # then {why}" if why else "")
        else:
            left_out[name] = why
    lines = ["# Made by benchmarks/rg_pool.py, which says what a level must keep to.", "", "[levels]", *levels.values()]
    lines += ["", "[left_out]", *(f'{name} = "{why}"' for name, why in sorted(left_out.items()))]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{TABLE}: {len(levels)} datasets, {len(left_out)} left out")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        write()
