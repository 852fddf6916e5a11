"""How the nano policy plays every mechanic and level: unaided, with a good hint, with a vague one.

    python benchmarks/nano_base.py [--policy nano|FOLDER] [--programs 8]

Prints the tables of docs/nano.md as Markdown.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean

from openspade.engine.loading import find_folder
from openspade.nano.catalogue import MECHANICS
from openspade.nano.measure import fresh_samples, measure, play
from openspade.nano.mechanic import MAX_LEVEL

Returns = Mapping[tuple[str, str, int], list[float]]


def row(title: str, returns: Returns, arm: str, group: str | None) -> str:
    """One line: the mean and the mean of every level."""
    cells = [
        [
            value
            for (a, g, at), values in returns.items()
            if a == arm and at == level and group in (None, g)
            for value in values
        ]
        for level in range(1, MAX_LEVEL + 1)
    ]
    mean = fmean(value for cell in cells for value in cell)
    return f"| {title} | {arm} | {mean:.2f} | " + " | ".join(f"{fmean(cell):.2f}" for cell in cells) + " |"


async def report(folder: Path, programs: int) -> None:
    good = await play(folder, fresh_samples(programs, 0), 1)
    vague = await play(folder, fresh_samples(programs, 0, vague=True), 1)
    print("| mechanic | arm | mean | " + " | ".join(str(level) for level in range(1, MAX_LEVEL + 1)) + " |")
    print("|---|---|---|" + "---|" * MAX_LEVEL)
    for one in MECHANICS:
        for arm in ("unaided", "hinted"):
            print(row(one.name, good, arm, one.name))
    print(row("**all**", good, "unaided", None))
    print(row("**all**", good, "hinted", None))
    print(row("**all, vague hint**", vague, "hinted", None))
    start = time.perf_counter()
    scores = await measure(folder)
    print(f"\nheld-out suite ({time.perf_counter() - start:.1f} s for both arms, four plays a seed):\n")
    print("| family | unaided | hinted |\n|---|---|---|")
    for name in sorted(name for name in scores if name.startswith("unaided")):
        family = name.partition("/")[2]
        print(f"| {family or '**all**'} | {scores[name]:.2f} | {scores[name.replace('unaided', 'hinted')]:.2f} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--policy", default="nano")
    parser.add_argument("--programs", type=int, default=8)
    options = parser.parse_args()
    asyncio.run(report(find_folder(options.policy), options.programs))
