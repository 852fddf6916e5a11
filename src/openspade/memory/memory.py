"""The run's memory: what was written, judged, played and learned, and what of it a brief should show."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from openspade.errors import StorageError
from openspade.memory.database import Database
from openspade.memory.read.design_list import StoredDesign, Wanted, find_design, find_designs
from openspade.memory.read.reread import stored_playtests, stored_verdicts
from openspade.memory.read.run_metrics import Event, last_cycle, read_cycles, read_evaluations, read_events
from openspade.memory.search import recall
from openspade.memory.search.meaning import Meanings, Unread
from openspade.memory.search.recall import Likeness
from openspade.memory.search.similarity import sketch_program
from openspade.memory.write import cycle_rows as ledger
from openspade.memory.write import history
from openspade.settings.learning import RewardConfig
from openspade.settings.worlds import MemoryConfig
from openspade.tokens import JSON
from openspade.types import CycleReport, Design, DesignStats, Document, Exemplar, Negative, Playtest, Skill, Verdict


@dataclass(frozen=True, kw_only=True, slots=True)
class Portrait:
    """An accepted design as the collapse alarm sees it."""

    design_id: str
    title: str
    novelty: float
    likeness: Likeness


class Memory:
    """One run's database. One process writes; any number may read beside it."""

    def __init__(
        self, database: Database, config: MemoryConfig, reward: RewardConfig, meanings: Meanings | None = None
    ) -> None:
        self.config = config
        self._database = database
        self._reward = reward
        self._meanings = meanings or Unread()

    @staticmethod
    def open(
        path: Path,
        config: MemoryConfig,
        *,
        reward: RewardConfig | None = None,
        meanings: Meanings | None = None,
        readonly: bool = False,
    ) -> Memory:
        """Open or create a run's file (`runs/<name>/openspade.db`). Raises StorageError."""
        database = Database(path, readonly=readonly)
        if not readonly:
            with database.transaction() as db:
                ledger.rerank(db, config.half_life_cycles)
        return Memory(database, config, reward or RewardConfig(), meanings)

    @property
    def path(self) -> Path:
        """The database file."""
        return self._database.path

    @property
    def run_directory(self) -> Path:
        """Where the database lies, and beside it episodes and drafts."""
        return self._database.path.parent

    def close(self) -> None:
        """Let other processes write."""
        self._meanings.close()
        self._database.close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- for briefs and gates ---------------------------------------------------------------------

    def seen(self, fingerprint: str) -> str | None:
        """The id of an equal program among the last `memory.window` accepted designs."""
        latest = "SELECT coalesce(max(accepted_number), 0) FROM designs"
        query = f"SELECT id FROM designs WHERE fingerprint = ? AND accepted_number > ({latest}) - ? ORDER BY number"
        row = self._database.row(query, (fingerprint, self.config.window))
        return row["id"] if row else None

    def nearest(self, source: str) -> tuple[str, float] | None:
        """Id and similarity of the most alike of the last `memory.window` accepted designs; None where none is near."""
        with self._database.errors():
            found = ledger.nearest(self._database.connection, sketch_program(source), window=self.config.window)
        return (recall.design_at(self._database, found[0]).id, found[1]) if found else None

    def exemplars(
        self,
        skill: Skill,
        n: int,
        rng: random.Random,
        *,
        document: Document | None = None,
        avoid: Sequence[Likeness] = (),
    ) -> tuple[Exemplar, ...]:
        """Designs worth imitating: by value, age and nearness to the document, unlike each other and unlike `avoid`."""
        return recall.exemplars(self._database, skill, document, avoid, n, rng) if n else ()

    def negatives(
        self, skill: Skill, n: int, rng: random.Random, *, document: Document | None = None
    ) -> tuple[Negative, ...]:
        """Recent designs of the skill that taught nothing, with the reason in words."""
        return recall.negatives(self._database, skill, document, n, rng) if n else ()

    def replays(self, n: int, cycle: int, rng: random.Random) -> tuple[Design, ...]:
        """Past designs to be played again, drawn by priority."""
        return recall.replays(self._database, n, 1 / self.config.half_life_cycles, cycle, rng)

    def accepted_in(self, cycles: range) -> tuple[Design, ...]:
        """Designs that those cycles accepted and that did not break in play, in the order of their first draft."""
        query = (
            "SELECT DISTINCT number FROM verdicts LEFT JOIN standings USING (number) WHERE accepted "
            "AND verdicts.cycle BETWEEN ? AND ? AND failing IS NOT 'fault' ORDER BY number"
        )
        rows = self._database.rows(query, (cycles.start, cycles.stop - 1)) if cycles else ()
        return tuple(recall.design_at(self._database, row["number"]) for row in rows)

    def portraits(self, n: int) -> tuple[Portrait, ...]:
        """The last `n` accepted designs, latest first."""
        query = (
            "SELECT id, title, novelty, program, observations FROM designs JOIN sketches USING (number) "
            "WHERE accepted_number IS NOT NULL ORDER BY accepted_number DESC LIMIT ?"
        )
        return tuple(
            Portrait(design_id=row["id"], title=row["title"], novelty=row["novelty"], likeness=recall.to_likeness(row))
            for row in self._database.rows(query, (n,))
        )

    # --- the cycle's end, and a resume's beginning --------------------------------------------------

    def commit(self, report: CycleReport, *, state: Mapping[str, JSON], checkpoint: str) -> None:
        """Remember a cycle as one unit: all of it is stored, or nothing. Raises StorageError."""
        if report.cycle <= self.last_cycle():
            raise StorageError(
                f"cycle {report.cycle} is already stored in {self._database.path} (last {self.last_cycle()}): "
                "resume from the last one, or choose another run.name"
            )
        history.write_history(self.run_directory, report)
        with self._database.transaction() as db:
            ledger.add_briefs(db, report)
            ledger.add_verdicts(db, report)
            accepted = [v.draft.design for v in report.verdicts if v.accepted and v.draft.design]
            self._meanings.lower_novelty(db, accepted, self.config.window)
            ledger.add_playtests(db, report, self.config, self._reward)
            numbers = [(report.cycle, name, value) for name, value in ledger.finite(report.metrics)]
            db.executemany("INSERT INTO metrics VALUES (?, ?, ?)", numbers)
            db.execute("INSERT INTO cycles VALUES (?, ?, ?)", (report.cycle, ledger.compact(dict(state)), checkpoint))

    def last_cycle(self) -> int:
        """The last committed cycle; -1 before the first."""
        return last_cycle(self._database)

    def state(self) -> dict[str, JSON]:
        """What the last commit was given; empty before the first."""
        row = self._database.row("SELECT state FROM cycles ORDER BY cycle DESC LIMIT 1")
        return json.loads(row["state"]) if row else {}

    def checkpoint(self) -> str:
        """The checkpoint that the last commit named; '' for none."""
        row = self._database.row("SELECT checkpoint FROM cycles ORDER BY cycle DESC LIMIT 1")
        return row["checkpoint"] if row else ""

    def reread(self, cycle: int) -> tuple[Sequence[Verdict], Sequence[Playtest]]:
        """A stored cycle's verdicts and playtests, tokens included. Raises StorageError."""
        return stored_verdicts(self._database, cycle), stored_playtests(self._database, cycle)

    def record_evaluation(self, cycle: int, suite: str, scores: Mapping[str, float]) -> None:
        """Store a held-out evaluation; a repeated one replaces the earlier."""
        rows = [(cycle, suite, name, value) for name, value in ledger.finite(scores)]
        with self._database.transaction() as db:
            db.executemany("INSERT OR REPLACE INTO evaluations VALUES (?, ?, ?, ?)", rows)

    def record_run(self, name: str, facts: Mapping[str, JSON]) -> None:
        """Store what the run was started with: configuration, versions, data hashes."""
        with self._database.transaction() as db:
            db.execute("INSERT OR REPLACE INTO runs VALUES (?, ?)", (name, ledger.compact(dict(facts))))

    def record_event(self, cycle: int, kind: str, text: str) -> None:
        """Store something worth telling that happened in a cycle."""
        with self._database.transaction() as db:
            db.execute("INSERT INTO events (cycle, kind, text) VALUES (?, ?, ?)", (cycle, kind, ledger.plain(text)))

    # --- for readers ---------------------------------------------------------------------------------

    def runs(self) -> dict[str, Mapping[str, JSON]]:
        """Facts by run name."""
        return {row["name"]: json.loads(row["facts"]) for row in self._database.rows("SELECT * FROM runs")}

    def events(self) -> list[Event]:
        """Every event, in order."""
        return read_events(self._database)[::-1]

    def metrics(self) -> list[tuple[int, Mapping[str, float]]]:
        """Every cycle's metrics, in order; what was not a finite number is nan."""
        return read_cycles(self._database)

    def evaluations(self) -> list[tuple[int, str, Mapping[str, float]]]:
        """Cycle, suite and scores of every evaluation, in order of cycle and suite."""
        return read_evaluations(self._database)

    def designs(self, wanted: Wanted | None = None) -> tuple[StoredDesign, ...]:
        """Designs that meet a description, newest first and at most 100 unless it says otherwise."""
        return find_designs(self._database, wanted or Wanted())

    def design(self, id_or_prefix: str) -> StoredDesign:
        """One design by its id or an unambiguous beginning. Raises StorageError."""
        return find_design(self._database, id_or_prefix)

    def solve_rates(self, cycles: range) -> dict[str, list[tuple[int, float]]]:
        """By the skill that was asked for: cycle and unaided solve rate of each sound playtest of those cycles."""
        query = (
            "SELECT asked_skill, playtests.cycle, solve_rate FROM playtests JOIN designs USING (number) "
            "WHERE playtests.cycle BETWEEN ? AND ? AND qualified ORDER BY playtests.cycle, number"
        )
        found: dict[str, list[tuple[int, float]]] = {}
        for row in self._database.rows(query, (max(0, cycles.start), cycles.stop - 1)):
            found.setdefault(row["asked_skill"], []).append((row["cycle"], row["solve_rate"]))
        return found

    def stats(self, design_id: str) -> DesignStats | None:
        """A design's latest statistics; None when it was never played."""
        query = (
            "SELECT playtests.* FROM playtests JOIN designs USING (number) WHERE id = ? ORDER BY playtests.cycle DESC"
        )
        row = self._database.row(query, (design_id,))
        return recall.to_stats(row, design_id) if row else None

    def last_hinted_cycle(self, design_id: str) -> int:
        """The last cycle in which a design's regret was measured; -1 for never."""
        query = "SELECT playtests.cycle FROM playtests JOIN designs USING (number) WHERE id = ? AND hinted_played"
        row = self._database.row(f"{query} ORDER BY playtests.cycle DESC", (design_id,))
        return int(row["cycle"]) if row else -1
