"""What a large corpus costs: the first opening (a scan), later ones (a stored index), drawing, memory in use.

python benchmarks/corpus.py make /tmp/big.jsonl 10         # GB
python benchmarks/corpus.py measure /tmp/big.jsonl         # twice: the first run scans
python benchmarks/corpus.py build 100000                   # memory while building from so many short documents
python benchmarks/corpus.py lines txt 1000000              # or jsonl: time for so many lines
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from openspade.curriculum.build import BuildProgress, build_corpus
from openspade.curriculum.corpus import Corpus

WORDS = "alpha beta gamma delta sorting graph number theorem measure vector".split()


def make(path: Path, gigabytes: float) -> None:
    rng, size, number = random.Random(0), 0, 0
    bodies = [" ".join(rng.choice(WORDS) for _ in range(380)) for _ in range(200)]
    with path.open("w", encoding="ascii") as file:
        while size < gigabytes * 2**30:
            body, source = bodies[number % 200], f"s{number % 40}:x"
            size += file.write(f'{{"id": "d{number}", "text": "{body}", "source": "{source}", "licence": "CC0"}}\n')
            number += 1


def measure(path: Path) -> None:
    started = time.perf_counter()
    corpus = Corpus.open(str(path), run_seed=0)
    print(f"open    {time.perf_counter() - started:8.2f} s, {len(corpus)} documents")
    taken: list[float] = []
    for _ in range(1000):
        started = time.perf_counter()
        corpus.draw("game")
        taken.append(1e3 * (time.perf_counter() - started))
    print(f"draw    {median(taken):8.2f} ms median")
    print(f"memory  {peak_mb():8.1f} MB at most")


def build(documents: int) -> None:
    """All are different, so that none is dropped: the sieve remembers as much as it ever does."""
    rng = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "in.jsonl"
        with source.open("w", encoding="ascii") as file:
            for _ in range(documents):
                body = " ".join(f"w{rng.getrandbits(24):x}" for _ in range(40))
                file.write(f'{{"text": "{body}"}}\n')
        started = time.perf_counter()

        def report(progress: BuildProgress) -> None:
            read = progress.pieces
            if read % (documents // 5) == 0:
                spent = time.perf_counter() - started
                print(f"{read:9} read, {read / spent:6.0f} a second, {peak_mb():6.1f} MB at most")

        print(f"kept {build_corpus([str(source)], Path(folder) / 'out.jsonl', progress=report).documents}")


def lines(kind: str, number: int) -> None:
    """A million lines of ten words in one text, or so many JSONL rows of 35: time in proportion."""
    rng = random.Random(0)
    words = [f"{one}{other}" for one in WORDS for other in WORDS]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / f"in.{kind}"
        with source.open("w", encoding="ascii") as file:
            for _ in range(number):
                drawn = " ".join(rng.choices(words, k=35 if kind == "jsonl" else 10))
                file.write(f'{{"text": "{drawn}"}}\n' if kind == "jsonl" else f"{drawn}\n")
        started, used = time.perf_counter(), time.process_time()
        report = build_corpus([str(source)], Path(folder) / "out.jsonl")
        print(f"{report.documents} documents, {time.perf_counter() - started:.1f} s, ", end="")
        print(f"{time.process_time() - used:.1f} CPU s, {peak_mb():.1f} MB at most")


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["make", path, gigabytes]:
            make(Path(path), float(gigabytes))
        case ["measure", path]:
            measure(Path(path))
        case ["build", documents]:
            build(int(documents))
        case ["lines", ("txt" | "jsonl") as kind, number]:
            lines(kind, int(number))
        case _:
            sys.exit(__doc__)
