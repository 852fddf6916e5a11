"""How often a 95 % interval over seeds holds the truth: what docs/evaluation.md quotes.

python benchmarks/intervals.py    # a few seconds

Normal values with mean 0, 2,000 experiments a row.
"""

from __future__ import annotations

import random

from openspade.evaluation.bootstrap import estimate

EXPERIMENTS = 2000


def main() -> None:
    rng = random.Random("intervals")
    for seeds in (3, 5, 8, 10, 20):
        found = [estimate([rng.gauss(0, 1) for _ in range(seeds)]) for _ in range(EXPERIMENTS)]
        print(f"{seeds:>3} seeds: {sum(f.low <= 0 <= f.high for f in found) / EXPERIMENTS:.0%}", flush=True)


if __name__ == "__main__":
    main()
