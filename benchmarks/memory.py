"""How a memory of very many designs behaves: opening, briefs, inserts with the novelty check, memory in use.

    python benchmarks/memory.py make /tmp/million 1000000     # once; about 2.5 GB
    python benchmarks/memory.py measure /tmp/million
    python benchmarks/memory.py commits /tmp/million          # what the likeness of what players read adds
    python benchmarks/memory.py likeness                      # how alike designs of known mechanics are

`make` writes synthetic designs straight into the tables: 2,000 mechanics of unequal popularity, each design's sketch a
disturbed copy of its mechanic's. `measure` uses the public interface only, in a fresh process.
"""

from __future__ import annotations

import random
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import combinations
from pathlib import Path
from statistics import mean, median

import numpy as np

from openspade.chance import named_rng
from openspade.curriculum.briefs import Curriculum
from openspade.memory.database import Database
from openspade.memory.memory import Memory
from openspade.memory.search.similarity import OBSERVED, PERMUTATIONS, Sketch, fingerprint, similarity
from openspade.memory.write import cycle_rows as ledger
from openspade.nano.all_mechanics import MECHANICS as NANO
from openspade.settings.worlds import CurriculumConfig, CycleConfig, MemoryConfig
from openspade.types import (
    Brief,
    Credit,
    CycleReport,
    Design,
    DesignStats,
    Document,
    Draft,
    Episode,
    Outcome,
    Playtest,
    Skill,
    Verdict,
)

MECHANICS, DESIGNS_A_CYCLE, DOCUMENTS = 2000, 24, 5000
SKILLS = CurriculumConfig().skills or ("mathematical reasoning", "logical deduction", "optimisation", "data retrieval")
WORDS = "valve tank river bridge lantern market harbour ladder kettle meadow tower garden".split()
PROGRAM = '''from openspade_env import Game


class Puzzle{number}(Game):
    """Puzzle {number} about mechanic {mechanic}."""

    skill = "optimisation"
    hint = "Look at the largest first."
    max_turns = 12

    def start(self, rng):
        self.levels = [rng.randint({low}, {high}) for _ in range({size})]
        self.opened = set()
        return f"Levels {{self.levels}}. Say 'open K'."

    def act(self, action):
        words = action.split()
        if len(words) != 2 or words[0] != "open" or not words[1].isdigit():
            return "Say 'open K'."
        index = int(words[1])
        if index >= len(self.levels):
            return "There is no such valve."
        self.opened.add(index)
        self.levels[index] = max(0, self.levels[index] - {step})
        if sum(self.levels) == 0:
            return self.win("All empty.")
        return f"Levels {{self.levels}}."

    def solution(self):
        return [f"open {{k}}" for k, level in enumerate(self.levels) for _ in range(-(-level // {step}))]
'''


def make(folder: Path, designs: int) -> None:
    database = Database(folder / "openspade.db")
    db, rng, numbers = database.connection, random.Random(0), np.random.default_rng(0)
    db.execute("PRAGMA synchronous = OFF")
    db.execute("PRAGMA cache_size = -1000000")
    bases = numbers.integers(0, 2**32, (MECHANICS, PERMUTATIONS), dtype=np.uint32)
    bands: list[np.ndarray] = []
    for start in range(0, designs, 10_000):
        db.execute("BEGIN")
        batch = range(start + 1, min(start + 10_000, designs) + 1)
        fill(db.executemany, batch, rng)
        bands.append(fill_sketches(db.executemany, batch, bases, (rng, numbers)))
        db.execute("COMMIT")
    pairs = np.concatenate(bands)
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    db.execute("BEGIN")
    for start in range(0, len(pairs), 100_000):
        db.executemany("INSERT OR IGNORE INTO bands VALUES (?, ?)", pairs[start : start + 100_000].tolist())
    cycles = designs // DESIGNS_A_CYCLE
    db.executemany("INSERT INTO cycles VALUES (?, '{}', '')", ((cycle,) for cycle in range(cycles + 1)))
    documents = ((f"doc{n}", f"notes:{n % 500}", "", 0, 50, "MIT", "About puzzles.") for n in range(DOCUMENTS))
    db.executemany("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?)", documents)
    ledger.rerank(db, MemoryConfig().half_life_cycles)
    db.execute("COMMIT")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def fill(executemany: Callable[..., object], batch: range, rng: random.Random) -> None:
    half_life = MemoryConfig().half_life_cycles
    designs, verdicts, playtests, standings = [], [], [], []
    for number in batch:
        cycle, skill, document = number // DESIGNS_A_CYCLE, SKILLS[number % len(SKILLS)], number % DOCUMENTS
        source = program(number, rng)
        identity = blake2b(source.encode(), digest_size=16).hexdigest()
        solved, regret = rng.random(), rng.gauss(0.1, 0.15)
        value = max(0.0, 1 - abs(solved - 0.5) / 0.35) * max(0.05, min(1.0, regret / 0.15))
        priority = solved * (1 - solved) * rng.random()
        title = f"Puzzle {number}."
        words = (identity, source, "Look.", skill, "game", title, 12, cycle, skill, f"doc{document}")
        designs.append((number, *words, identity[::-1], identity, number, 0.5))
        if number % 3 == 0:
            problem = '[["floor_gap","echo wins",""]]'
            verdicts.append((cycle, f"d{number}", "b", skill, number, 0, "floor_gap", problem, "[]", "[]", -0.5))
        rates = (4, 16, solved, solved, solved, solved, regret, 0.1, 0.5, "[0.5]", 1, 1, "")
        playtests.append((number, cycle, cycle, 0, *rates))
        failing = "too easy" if solved > 0.9 else "out of reach" if solved < 0.1 else None
        ranks = [np.log2(worth) + cycle / half_life if worth > 0 else None for worth in (value, priority)]
        origin = (f"doc{document}", f"notes:{document % 500}", cycle)
        standings.append((number, skill, "game", *origin, value, priority, *ranks, failing))
    for table, rows in (
        ("designs", designs),
        ("verdicts", verdicts),
        ("playtests", playtests),
        ("standings", standings),
    ):
        executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)


def program(number: int, rng: random.Random) -> str:
    knobs = {"low": rng.randint(1, 5), "high": rng.randint(6, 99), "size": rng.randint(2, 9), "step": rng.randint(1, 9)}
    return PROGRAM.format(number=number, mechanic=number % MECHANICS, **knobs)


def fill_sketches(
    executemany: Callable[..., object],
    batch: range,
    bases: np.ndarray,
    chance: tuple[random.Random, np.random.Generator],
) -> np.ndarray:
    rng, numbers = chance
    # Squared: the commonest mechanics hold most designs, as in a run that leans on what works.
    chosen = (numbers.random(len(batch)) ** 2 * MECHANICS).astype(int)
    minima = bases[chosen]
    disturbed = numbers.random(minima.shape) < numbers.random((len(batch), 1)) * 0.6
    minima[disturbed] = numbers.integers(0, 2**32, int(disturbed.sum()), dtype=np.uint32)
    packed = [row.astype("<u4").tobytes() for row in minima]
    rows = [(number, sketch, rng.choice((sketch, None))) for number, sketch in zip(batch, packed, strict=True)]
    executemany("INSERT INTO sketches VALUES (?, ?, ?)", rows)
    keys = [(key, number) for number, program, _ in rows for key in Sketch(packed=program).bands()]
    keys += [(key, number) for number, _, seen in rows if seen for key in Sketch(packed=seen).bands(OBSERVED)]
    return np.asarray(keys, dtype=np.int64)


def measure(folder: Path) -> None:
    started = time.perf_counter()
    memory = Memory.open(folder / "openspade.db", MemoryConfig(exemplars=2, negatives=1))
    print(f"open               {1e3 * (time.perf_counter() - started):9.1f} ms")
    cycle = memory.last_cycle() + 1
    skill = Skill(name=SKILLS[0], kind="game", description="")
    documents = (Document(id=f"doc{n}", text="About puzzles.", source=f"notes:{n % 500}") for n in range(DOCUMENTS))
    timed("exemplars (2)", 200, lambda rng: memory.exemplars(skill, 2, rng, document=next(documents)))
    timed("negatives (1)", 200, lambda rng: memory.negatives(skill, 1, rng, document=next(documents)))
    curriculum = Curriculum(CurriculumConfig(skills=SKILLS), CycleConfig(briefs=1), memory, None, 0)
    timed("cycle of one brief", 100, lambda rng: curriculum.briefs(rng.randrange(10**6)))
    timed("replays (8)", 100, lambda rng: memory.replays(8, cycle, rng))
    timed("seen", 500, lambda rng: memory.seen(fingerprint(program(rng.randrange(10**9), rng))))
    timed("nearest", 200, lambda rng: memory.nearest(program(rng.randrange(10**9), rng)))
    reader = Database(folder / "openspade.db", readonly=True)
    last = reader.rows("SELECT max(number) FROM sketches")[0][0]
    timed("nearest, crowded", 200, lambda rng: nearest_to_a_stored(reader, rng.randint(1, last)))
    reports = new_cycles(cycle)
    timed(f"commit, {DESIGNS_A_CYCLE} designs", 20, lambda _: memory.commit(next(reports), state={}, checkpoint=""))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size = (folder / "openspade.db").stat().st_size / 2**30
    print(f"peak memory        {peak:9.1f} MB\nfile               {size:9.2f} GB")
    memory.close()


def commits(folder: Path) -> None:
    """Commits with and without first observations, in turn; the processor's time, whatever else the machine does."""
    memory = Memory.open(folder / "openspade.db", MemoryConfig())
    reports = new_cycles(memory.last_cycle() + 1)
    taken: dict[bool, list[float]] = {True: [], False: []}
    for turn in range(40):
        report, seen = next(reports), bool(turn % 2)
        plays = tuple(each if seen else replace(each, episodes=()) for each in report.playtests)
        started = time.process_time()
        memory.commit(replace(report, playtests=plays), state={}, checkpoint="")
        taken[seen].append(1e3 * (time.process_time() - started) / DESIGNS_A_CYCLE)
    print(f"CPU a design: {median(taken[False]):.2f} ms, with what players read {median(taken[True]):.2f} ms")
    memory.close()


def nearest_to_a_stored(database: Database, number: int) -> object:
    """Of a design that is in the tables: its mechanic has hundreds of others."""
    (row,) = database.rows("SELECT program FROM sketches WHERE number = ?", (number,))
    return ledger.nearest(database.connection, Sketch(packed=row["program"]))


def likeness() -> None:
    root = Path(__file__).parents[1]
    sys.path.insert(0, str(root))
    from tests.unit.mechanics import MAZES, OTHERS  # noqa: PLC0415 - found through the line above

    rng = random.Random(0)
    nano = {each.name: [each.program(each.draw(rng.randint(1, 6), rng), hint="h") for _ in range(6)] for each in NANO}
    examples = [path.read_text() for path in sorted((root / "examples/environments").glob("*.py"))]
    print("mazes", spread(pairs(MAZES)))
    print("mazes, others", spread([similarity(maze, other) for maze in MAZES for other in OTHERS]))
    print("others", spread(pairs(OTHERS)))
    print("examples", spread(pairs(examples)))
    print("nano, means within one", spread([mean(pairs(programs)) for programs in nano.values()]))
    between = [mean([similarity(a, b) for a in one for b in other]) for one, other in combinations(nano.values(), 2)]
    print("nano, means between two", spread(between))


def pairs(programs: Sequence[str]) -> list[float]:
    return [similarity(one, other) for one, other in combinations(programs, 2)]


def spread(values: Sequence[float]) -> str:
    return f"{min(values):.2f} to {max(values):.2f}"


def timed(name: str, times: int, act: Callable[[random.Random], object]) -> None:
    taken: list[float] = []
    for number in range(times):
        rng = named_rng(0, number, name)
        started = time.perf_counter()
        act(rng)
        taken.append(1e3 * (time.perf_counter() - started))
    taken.sort()
    print(f"{name:18} {median(taken):9.1f} ms median {taken[int(0.95 * len(taken))]:9.1f} ms p95")


def new_cycles(cycle: int) -> Iterator[CycleReport]:
    rng = random.Random(time.time_ns())
    while True:
        brief = Brief(id="b", skill=Skill(name=SKILLS[0], kind="game", description=""), document=None, seed=0)
        designs = [design(rng.randrange(10**12), rng) for _ in range(DESIGNS_A_CYCLE)]
        drafts = [Draft(id=f"d{n}", brief=brief, text="", design=each) for n, each in enumerate(designs)]
        rates = {"solve_rate": 0.5, "hinted_solve_rate": 0.7, "unaided_return": 0.5, "hinted_return": 0.7}
        spread = {"regret": 0.2, "regret_se": 0.1, "learnable": 1.0}
        stats = {each.id: DesignStats(design_id=each.id, pairs=4, **rates, **spread) for each in designs}
        yield CycleReport(
            cycle=cycle,
            briefs=(brief,),
            verdicts=tuple(Verdict(draft=draft) for draft in drafts),
            playtests=tuple(Playtest(design=each, episodes=(an_episode(each, rng),)) for each in designs),
            credit=Credit(rewards={}, stats=stats, trajectories=()),
            metrics={},
        )
        cycle += 1


def an_episode(design: Design, rng: random.Random) -> Episode:
    seen = f"Levels {[rng.randint(1, 99) for _ in range(5)]}. Say 'open K'. {' '.join(rng.choices(WORDS, k=12))}."
    return Episode(
        design_id=design.id, seed=0, play=0, hinted=False, outcome=Outcome.SOLVED, return_=1.0, first_observation=seen
    )


def design(number: int, rng: random.Random) -> Design:
    source = program(number, rng)
    identity = blake2b(source.encode(), digest_size=16).hexdigest()
    return Design(
        id=identity, source=source, hint="Look.", skill=SKILLS[0], kind="game", title=f"P {number}.", max_turns=12
    )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["make", folder, designs]:
            make(Path(folder), int(designs))
        case ["measure", folder]:
            measure(Path(folder))
        case ["commits", folder]:
            commits(Path(folder))
        case ["likeness"]:
            likeness()
        case _:
            sys.exit(__doc__)
