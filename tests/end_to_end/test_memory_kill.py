"""A process that is killed in the middle of remembering loses at most the running cycle."""

from __future__ import annotations

import multiprocessing
import random
from pathlib import Path

from openspade.chance import named_rng
from openspade.curriculum.briefs import Curriculum
from openspade.curriculum.corpus import Corpus
from openspade.memory.memory import Memory
from openspade.memory.write.upkeep import verify_run
from openspade.settings.worlds import CurriculumConfig, CycleConfig, MemoryConfig
from tests.content_digest import content_digest
from tests.unit.memories import a_cycle, remember_nothing_twice, teachable, variant
from tests.unit.test_corpus import rows_of, write

CYCLES, KILLS = 60, 40


def remember_cycles(folder: Path, corpus: str) -> None:
    """Go on from the last committed cycle to the end, as a run does."""
    with Memory.open(folder / "openspade.db", MemoryConfig()) as memory:
        curriculum = Curriculum(
            CurriculumConfig(), CycleConfig(briefs=3, replays=2), memory, Corpus.open(corpus, run_seed=1), 1
        )
        curriculum.restore(memory.state())
        for cycle in range(memory.last_cycle() + 1, CYCLES):
            rng = named_rng(1, cycle, "designs")
            briefs = curriculum.briefs(cycle)
            played = [(variant(rng.randrange(10**6)), teachable(solve_rate=rng.random())) for _ in range(4)]
            played += [(replay.design, teachable(solve_rate=rng.random())) for replay in curriculum.replays(cycle)]
            report = a_cycle(cycle, remember_nothing_twice(played), document=briefs[0].document)
            memory.commit(report, state=curriculum.state(), checkpoint="")


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*.zst"))}


def test_forty_kills_and_resumes_leave_the_run_that_was_never_disturbed(tmp_path: Path):
    corpus, rng = write(tmp_path, rows_of(a=50, b=20)), random.Random(0)
    remember_cycles(tmp_path / "whole", corpus)
    for _ in range(KILLS):
        process = multiprocessing.get_context("fork").Process(target=remember_cycles, args=(tmp_path / "hit", corpus))
        process.start()
        process.join(timeout=rng.uniform(0.005, 0.08))
        process.kill()
        process.join()
    remember_cycles(tmp_path / "hit", corpus)
    assert verify_run(tmp_path / "hit" / "openspade.db") == ()
    assert content_digest(tmp_path / "hit" / "openspade.db") == content_digest(tmp_path / "whole" / "openspade.db")
    assert files_of(tmp_path / "hit") == files_of(tmp_path / "whole")
