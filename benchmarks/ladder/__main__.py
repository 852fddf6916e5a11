"""Measures the ladder on both sets, each in an open and a sealed half.

python -m benchmarks.ladder                       # both halves
python -m benchmarks.ladder --half open --show    # the half that gates may be tuned on, with every wrong verdict
"""

from __future__ import annotations

import argparse
import asyncio
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from benchmarks.ladder.measure import judged
from benchmarks.ladder.sets import Specimen, specimens, unseen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=("open", "sealed", "both", "unseen"), default="both")
    parser.add_argument("--show", action="store_true", help="every wrong verdict, with its reason")
    parser.add_argument("--write", type=Path, help="write the programs of the chosen half to this folder")
    asked = parser.parse_args()
    if asked.half == "unseen":
        _table(
            "unseen",
            list(zip(unseen(), asyncio.run(judged([one.source for one in unseen()])), strict=True)),
            show=asked.show,
        )
        return
    chosen = [one for one in specimens() if asked.half == "both" or one.sealed == (asked.half == "sealed")]
    if asked.write:
        asked.write.mkdir(parents=True, exist_ok=True)
        for one in chosen:
            label = "bad" if one.fault else "good"
            (asked.write / f"{label} {one.name}.py".replace("/", " ").replace(":", " -")).write_text(
                one.source, encoding="utf-8"
            )
    verdicts = asyncio.run(judged([one.source for one in chosen]))
    for half in ("open", "sealed"):
        _table(
            half,
            [(one, v) for one, v in zip(chosen, verdicts, strict=True) if one.sealed == (half == "sealed")],
            show=asked.show,
        )


def _table(half: str, rows: Sequence[tuple[Specimen, str]], *, show: bool) -> None:
    if not rows:
        return
    caught = [bool(verdict) for one, verdict in rows if one.fault]
    refused = [bool(verdict) for one, verdict in rows if not one.fault]
    print(f"{half}: {sum(caught)} of {len(caught)} bad refused (recall {sum(caught) / len(caught):.3f}), ", end="")
    precision = sum(caught) / max(1, sum(caught) + sum(refused))
    print(
        f"{sum(refused)} of {len(refused)} good refused ({sum(refused) / len(refused):.3f}), precision {precision:.3f}"
    )
    kinds: dict[str, list[bool]] = defaultdict(list)
    for one, verdict in rows:
        if one.fault:
            kinds[one.fault].append(bool(verdict))
    for fault, found in sorted(kinds.items(), key=lambda item: sum(item[1]) / len(item[1])):
        if not all(found):
            print(f"  missed {len(found) - sum(found)} of {len(found)}: {fault}")
    for one, verdict in rows if show else ():
        if bool(verdict) != bool(one.fault):
            print(f"  {'missed' if one.fault else 'refused'}: {one.name}: {verdict}")


if __name__ == "__main__":
    main()
