"""How long the dashboard's server takes for each page of a run, and what a running training notices of it.

    python benchmarks/memory.py make /tmp/many 100000       # once; 270 MB
    python -m benchmarks.dashboard pages /tmp/many          # or any run's folder
    python -m benchmarks.dashboard writer                   # commits beside a dashboard that is looked at all the time

Pages are asked for in this process, without a network or a browser: median, slowest and the CPU of one look.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from benchmarks.memory import new_cycles
from starlette.testclient import TestClient

from openspade.dashboard.app import build_app
from openspade.memory.memory import Memory
from openspade.settings.worlds import MemoryConfig

LOOKS = 15
LISTS = {
    "environments, newest first": "environments",
    "environments, accepted": "environments?verdict=accepted",
    "environments of a skill": "environments?skill=optimisation",
    "environments in the band, highest regret": "environments?zone=in&order=regret",
    "environments, hardest": "environments?order=hardest",
    "environments, most novel": "environments?order=novelty",
    "environments of a source": "environments?source=notes%3A7",
    "environments, words in the title": "environments?words=puzzle+77",
    "environments, refused by a gate": "environments?verdict=gate%3Afloor_gap",
    "environments, page 1,000": "environments?after=76000.0%2C76000",
    "corpus": "corpus",
    "events": "events",
    "overview": "",
    "overview's curves": "series.json",
}


def pages(folder: Path) -> None:
    with TestClient(build_app(folder), base_url="http://127.0.0.1") as client:
        home = f"/run/{folder.resolve().name}/"
        if client.get(f"{home}config").status_code != 200:
            sys.exit(f"{folder} is not the folder of a run: name the one that holds openspade.db")
        first, cpu = timed(lambda: client.get(f"{home}environments?order=regret"))
        print(f"first filter of a run, read into memory: {first:.0f} ms, {cpu:.0f} ms of CPU\n")
        found = re.search(r'href="([^"]*/environment/[^"]*)"', client.get(f"{home}environments").text)
        addresses = {name: home + path for name, path in LISTS.items()}
        if found:
            addresses["one environment"] = found[1]
        print(f"{'page':42} {'median':>8} {'slowest':>9} {'CPU':>8}")
        for name, address in addresses.items():
            looks = [timed(lambda address=address: client.get(address)) for _ in range(LOOKS)]
            walls, cpus = zip(*looks, strict=True)
            print(f"{name:42} {median(walls):5.0f} ms {max(walls):6.0f} ms {median(cpus):5.0f} ms")


def writer(folder: Path) -> None:
    """Commits with nobody looking, and with somebody who reloads without a pause, in turns."""
    calm, watched = [], []
    with Memory.open(folder / "openspade.db", MemoryConfig()) as memory:
        reports = new_cycles(memory.last_cycle() + 1)
        for _ in range(10):
            memory.commit(next(reports), state={}, checkpoint="")
        for _ in range(4):
            calm += [timed(lambda: memory.commit(next(reports), state={}, checkpoint="")) for _ in range(10)]
            with watched_by_somebody(folder):
                watched += [timed(lambda: memory.commit(next(reports), state={}, checkpoint="")) for _ in range(10)]
    for name, found in (("alone", calm), ("while pages are loaded", watched)):
        walls, cpus = zip(*found, strict=True)
        print(f"a commit of 24 designs {name}: {median(walls):.0f} ms, {median(cpus):.0f} ms of CPU")


@contextmanager
def watched_by_somebody(folder: Path) -> Iterator[None]:
    """Another process loads the overview and the gallery again and again."""
    process = subprocess.Popen([sys.executable, "-m", "benchmarks.dashboard", "watch", folder], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        yield
    finally:
        process.kill()
        process.wait()


def watch(folder: Path) -> None:
    home = f"/run/{folder.resolve().name}/"
    with TestClient(build_app(folder), base_url="http://127.0.0.1") as client:
        while True:
            for address in (home, f"{home}environments?order=regret"):
                client.get(address)
            print("looked", flush=True)


def timed(act: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds on the wall, and of CPU."""
    wall, cpu = time.perf_counter(), time.process_time()
    act()
    return 1e3 * (time.perf_counter() - wall), 1e3 * (time.process_time() - cpu)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["pages", folder]:
            pages(Path(folder))
        case ["watch", folder]:
            watch(Path(folder))
        case ["writer"]:
            writer(Path(tempfile.mkdtemp()) / "run")
        case ["writer", folder]:
            writer(Path(folder))
        case _:
            sys.exit(__doc__)
