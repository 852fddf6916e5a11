"""Does the Designer's difficulty follow the Agent? What docs/experiments/difficulty.md quotes.

python benchmarks/nano_levels.py RUN [RUN ...] [--parts 5] [--png levels.png]

Reads back the level of every accepted design of the nano world (1 to 9) from its title. Prints, for each group of runs
that differ in their seeds only, the mean level written and the share of designs in the band in each part of the run,
and how the designs of its last part are spread over the levels.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean

from benchmarks.nano_reading import level_of

from openspade.memory.memory import Memory
from openspade.memory.write.exchange import EVERYTHING
from openspade.recipe import flat
from openspade.report.figures import save_sheet
from openspade.run_folder import DATABASE_FILE, stored_config
from openspade.runview.charts import COLOURS, Chart, Line, smooth
from openspade.runview.compare import Group, compare
from openspade.runview.view import RunView
from openspade.settings.worlds import MemoryConfig

LEVEL, BAND, SOLVED = "level written", "designs/in_band_share", "designs/solve_rate_unaided"
LEVELS = range(1, 10)
Series = Mapping[int, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """What the runs of one group wrote: a value a cycle, the mean of the seeds."""

    label: str
    runs: int
    series: Mapping[str, Series]
    levels: Mapping[int, Sequence[int]]
    """The level of every design, by the cycle that accepted it first."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--parts", type=int, default=5)
    parser.add_argument("--png", type=Path)
    arguments = parser.parse_args()
    folders = [found.parent for run in arguments.runs for found in sorted(run.glob(f"**/{DATABASE_FILE}"))]
    groups = compare([run for folder in folders if (run := read(folder)).cycles], "episodes").groups
    written = [found for group in groups if (found := gather(group)).series[LEVEL]]
    table(written, arguments.parts)
    if arguments.png:
        save_sheet([chart(written, name) for name in (LEVEL, BAND)], arguments.png)


def read(folder: Path) -> RunView:
    settings = flat(stored_config(folder).model_dump(mode="json", by_alias=True))
    with Memory.open(folder / DATABASE_FILE, MemoryConfig(), readonly=True) as memory:
        return RunView.of(str(folder), memory.metrics(), memory.evaluations(), settings)


def gather(group: Group) -> Written:
    by_run = [levels(Path(run.name)) for run in group.runs]
    series = {name: mean_of([metric(run.cycles, name) for run in group.runs]) for name in (BAND, SOLVED)}
    series[LEVEL] = mean_of([{cycle: fmean(found) for cycle, found in one.items()} for one in by_run])
    together = {cycle: [level for one in by_run for level in one.get(cycle, ())] for cycle in series[LEVEL]}
    return Written(label=group.label, runs=len(group.runs), series=series, levels=together)


def levels(folder: Path) -> Mapping[int, Sequence[int]]:
    """The levels of the designs first accepted in each cycle."""
    with Memory.open(folder / DATABASE_FILE, MemoryConfig(), readonly=True) as memory:
        stored = memory.designs(EVERYTHING)
    by_cycle: dict[int, list[int]] = defaultdict(list)
    for one in stored:
        if one.cycle >= 0 and (found := level_of(one.design)):
            by_cycle[one.cycle].append(found[1])
    return dict(sorted(by_cycle.items()))


def metric(cycles: Sequence[tuple[int, Mapping[str, float]]], name: str) -> Series:
    return {cycle: values[name] for cycle, values in cycles if name in values}


def mean_of(runs: Sequence[Series]) -> Series:
    cycles = sorted({cycle for run in runs for cycle in run})
    return {cycle: fmean(run[cycle] for run in runs if cycle in run) for cycle in cycles}


def table(found: Sequence[Written], parts: int) -> None:
    last = max(cycle for one in found for cycle in one.series[LEVEL]) + 1
    edges = [round(last * part / parts) for part in range(parts + 1)]
    spans = [range(first, end) for first, end in pairwise(edges)]
    print(f"| cycles | {' | '.join(f'{span.start + 1}-{span.stop}' for span in spans)} |\n|---|{'---|' * parts}")
    for one in found:
        for name in (LEVEL, BAND, SOLVED):
            cells = [fmean([v for cycle, v in one.series[name].items() if cycle in span] or [0.0]) for span in spans]
            print(f"| {one.label} ({one.runs}): {name} | {' | '.join(f'{cell:.2f}' for cell in cells)} |")
    print(f"\n| share of designs by level, cycles {spans[-1].start + 1}-{last} | {' | '.join(map(str, LEVELS))} |")
    print(f"|---|{'---|' * len(LEVELS)}")
    for one in found:
        late = [level for cycle, written in one.levels.items() if cycle in spans[-1] for level in written]
        shares = [late.count(level) / max(1, len(late)) for level in LEVELS]
        print(f"| {one.label} ({one.runs}) | {' | '.join(f'{share:.2f}' for share in shares)} |")


def chart(found: Sequence[Written], name: str) -> Chart:
    lines = [
        Line(
            label=one.label,
            colour=COLOURS[place % len(COLOURS)],
            at=[cycle + 1 for cycle in one.series[name]],
            values=smooth([*one.series[name].values()], 5),
        )
        for place, one in enumerate(found)
    ]
    title = "Level written" if name == LEVEL else "Designs in the band"
    return Chart(name="levels", title=title, caption=title, upright=name.rpartition("/")[2], lines=tuple(lines))


if __name__ == "__main__":
    main()
