"""Tokens a CPU second of the local engine beside transformers' `generate` and TRL, on the same models and tokens.

    python -m benchmarks.engine                                      # nano (1.4 M), small (20 M), smollm2 (135 M)
    python -m benchmarks.engine --models nano --repeats 5
    python -m benchmarks.engine --models nano --compile              # our training through torch.compile

One thread, one process, the contenders by turns, medians over the repeats. CPU seconds, so that a busy machine
disturbs less; still, read ratios. Replies end at lengths drawn beforehand, the same for every contender. TRL joins
where it is installed (`pip install trl datasets accelerate`). Peak memory is the process's while that contender ran.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time

import torch
from benchmarks.contenders import Work, all_work, forget_peak, peak_mb
from benchmarks.workload import LOADS, a_model

from openspade.settings.learning import TrainConfig

MODELS = ("nano", "small", "smollm2")


def measure(name: str, repeats: int, *, compiled: bool) -> dict[str, object]:
    """One model's medians by contender: tokens a CPU second, and the peak in MB."""
    model, load = a_model(name), LOADS[name]
    work = all_work(model, load, TrainConfig(tokens_per_batch=load.tokens_per_batch, compile=compiled))
    speeds: dict[str, list[float]] = {kind: [] for kind in work}
    peaks = dict.fromkeys(work, 0)
    for number in range(repeats):
        for kind, run in work.items():
            model.eval()
            forget_peak()
            speeds[kind].append(timed(run))
            print(f"{name} {number + 1}/{repeats} {kind}: {speeds[kind][-1]:,.1f}", file=sys.stderr, flush=True)
            peaks[kind] = max(peaks[kind], peak_mb())
    medians = {kind: round(statistics.median(values), 1) for kind, values in speeds.items()}
    return {
        "model": name,
        "parameters": model.num_parameters(),
        "tokens_a_cpu_second": medians,
        "times_the_baselines": ratios(medians),
        "peak_mb": peaks,
    }


def ratios(medians: dict[str, float]) -> dict[str, float]:
    """Ours over each baseline of the same kind."""
    pairs = [(kind.rpartition(": ")[0], kind.rpartition(": ")[2]) for kind in medians]
    return {
        f"{kind}: {name}": round(medians[f"{kind}: openspade"] / medians[f"{kind}: {name}"], 2)
        for kind, name in pairs
        if name != "openspade"
    }


def timed(work: Work) -> float:
    """Tokens a CPU second."""
    began = time.process_time()
    tokens = work()
    return tokens / (time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", choices=sorted(LOADS), default=MODELS)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--compile", action="store_true", help="our training through torch.compile")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rows = [measure(name, arguments.repeats, compiled=arguments.compile) for name in arguments.models]
    print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
