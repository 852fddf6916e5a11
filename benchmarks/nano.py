"""Self-play from the nano policy over several seeds and controls: what docs/log.md quotes.

python benchmarks/nano.py [--seeds 3] [--controls selfplay frozen_designer] [--jobs 2] [section.key=value ...]

Runs `openspade train recipes/nano.toml` for each control and seed, `jobs` at a time with one thread each, then prints a
Markdown table: first and last share of drafts accepted, share in band, regret and held-out score, over seeds.
Finished runs are not run again, so an interrupted benchmark goes on where it was.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from openspade.memory.memory import Memory
from openspade.run_folder import DATABASE_FILE, stored_config

ROOT = Path(__file__).parents[1]
EDGE = 5
"""Cycles averaged at either end of a run."""
SHOWN = {
    "accepted": "funnel/accepted_share",
    "in band": "designs/in_band_share",
    "learnable": "designs/learnable_share",
    "unaided": "designs/solve_rate_unaided",
    "hinted": "designs/solve_rate_hinted",
    "regret": "designs/regret_mean",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--controls", nargs="+", default=["selfplay", "frozen_designer"])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--recipe", type=Path, default=ROOT / "recipes" / "nano.toml")
    parser.add_argument("--directory", type=Path, default=Path("runs") / "nano-benchmark")
    arguments, overrides = parser.parse_known_args()
    wanted = [(control, seed) for control in arguments.controls for seed in range(arguments.seeds)]
    with ThreadPoolExecutor(arguments.jobs) as workers:
        list(workers.map(lambda item: run(arguments.recipe, arguments.directory, *item, overrides), wanted))
    report(arguments.directory, arguments.controls, arguments.seeds)


def run(recipe: Path, directory: Path, control: str, seed: int, overrides: list[str]) -> None:
    """One run to its end, resumed where an earlier attempt left it."""
    home = directory / f"{control}-{seed}"
    if (home / "config.toml").exists():
        command = ["resume", str(home)]
    else:
        named = [f"run.directory={directory}", f"run.name={home.name}", f"run.seed={seed}"]
        chosen = [] if control == "selfplay" else [f"control={control}"]
        command = ["train", str(recipe), *named, *chosen, "policy.threads=1", *overrides]
    started = time.monotonic()
    subprocess.run([sys.executable, "-m", "openspade", *command], check=True, stdout=subprocess.DEVNULL)
    print(f"{home.name}: {(time.monotonic() - started) / 60:.1f} minutes", file=sys.stderr, flush=True)


def report(directory: Path, controls: list[str], seeds: int) -> None:
    """Every figure as mean over seeds, with the lowest and highest in brackets."""
    shown = " | ".join(f"{name} first, last" for name in SHOWN)
    print(f"| | cycles | minutes | {shown} | held-out first, last | gain |")
    print("|" + "---|" * (len(SHOWN) + 5))
    for control in controls:
        runs = [read(directory / f"{control}-{seed}") for seed in range(seeds)]
        cells = [spread([metrics[name][end] for metrics, _, _ in runs]) for name in SHOWN for end in (0, 1)]
        pairs = [f"{first}, {last}" for first, last in zip(cells[::2], cells[1::2], strict=True)]
        scores = [(heldout[0], heldout[-1]) for _, heldout, _ in runs]
        minutes = spread([metrics["seconds"][1] / 60 for metrics, _, _ in runs])
        held = f"{spread([first for first, _ in scores])}, {spread([last for _, last in scores])}"
        gain = spread([last - first for first, last in scores])
        print(f"| {control} | {runs[0][2]} | {minutes} | {' | '.join(pairs)} | {held} | {gain} |")


def read(home: Path) -> tuple[dict[str, tuple[float, float]], list[float], int]:
    """(first, last) of every shown metric, the held-out scores, and the number of cycles."""
    config = stored_config(home)
    with Memory.open(home / DATABASE_FILE, config.memory, readonly=True) as memory:
        cycles = [metrics for _, metrics in memory.metrics()]
        heldout = [scores["heldout/score"] for _, _, scores in memory.evaluations()]
    edges = {name: (edge(cycles[:EDGE], metric), edge(cycles[-EDGE:], metric)) for name, metric in SHOWN.items()}
    edges["seconds"] = (0.0, sum(metrics["seconds/cycle"] for metrics in cycles))
    return edges, heldout, len(cycles)


def edge(cycles: list[dict[str, float]], metric: str) -> float:
    values = [metrics[metric] for metrics in cycles if metric in metrics]
    return statistics.fmean(values) if values else float("nan")


def spread(values: list[float]) -> str:
    return f"{statistics.fmean(values):.2f} [{min(values):.2f} {max(values):.2f}]"


if __name__ == "__main__":
    main()
