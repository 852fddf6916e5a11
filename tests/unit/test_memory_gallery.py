"""Lists of designs: filters, orders, pages, and a copy in memory that follows the run."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from openspade.memory.database import Database
from openspade.memory.memory import Memory
from openspade.memory.read.coverage import document_uses
from openspade.memory.read.design_history import read_design_history
from openspade.memory.read.excerpts import first_observation, read_draft, read_episode
from openspade.memory.read.run_metrics import read_cycles, read_events, run_status
from openspade.memory.search.design_search import DesignSearch, Order, Search
from openspade.memory.write.history import read_episodes
from openspade.types import Problem
from tests.fakes import SKILL
from tests.unit.dashboards import a_run
from tests.unit.memories import a_cycle, a_document, design_of, open_memory, remember, teachable, variant


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """Seven designs from easy to hard, two a cycle, and one refused."""
    memory = open_memory(tmp_path)
    for cycle in range(3):
        played = [
            (
                variant(10 * cycle + n + 1, f"Game {cycle}{n}."),
                teachable(solve_rate=(2 * cycle + n) / 10, regret=0.1 * n),
            )
            for n in (1, 2)
        ]
        problem = Problem(gate="floor_gap", message="Echo wins.")
        refused = [(design_of("x = 1", "Refused."), problem)] if cycle == 1 else []
        document = a_document(f"doc{cycle}")
        memory.commit(a_cycle(cycle, played, refused=refused, document=document), state={}, checkpoint="")
    yield memory
    memory.close()


def reader(memory: Memory) -> Database:
    return Database(memory.run_directory / "openspade.db", readonly=True)


def titles(memory: Memory, **search: object) -> list[str]:
    return [entry.title for entry in DesignSearch().find(reader(memory), Search(**search))]  # type: ignore[arg-type]


def test_filters_keep_what_meets_all_of_them(memory: Memory):
    assert titles(memory, accepted=False) == ["Refused."]
    assert titles(memory, gate="floor_gap") == ["Refused."]
    assert titles(memory, least_regret=0.15, document_id="doc1") == ["Game 12."]
    assert titles(memory, words="game 2") == ["Game 22.", "Game 21."]
    assert titles(memory, words="100%") == []


def test_a_band_is_asked_for_by_its_ends(memory: Memory):
    assert titles(memory, solve_rates=(0.3, 0.4), order="hardest") == ["Game 11.", "Game 12."]


@pytest.mark.parametrize("order", ["newest", "oldest", "regret", "novelty", "hardest", "easiest"])
def test_pages_hold_every_design_once_in_every_order(memory: Memory, order: Order):
    gallery, database, seen = DesignSearch(), reader(memory), []
    search = Search(order=order, limit=2)
    while page := gallery.find(database, search):
        seen += [entry.number for entry in page]
        search = replace(search, after=page[-1].key)
    measured = 7 if order in ("newest", "oldest") else 6
    assert len(seen) == len(set(seen)) == measured


def test_a_gallery_follows_the_run(memory: Memory):
    gallery, database = DesignSearch(), reader(memory)
    assert gallery.count(database, Search(accepted=True)) == 6
    remember(memory, (variant(99, "Late."), teachable()), (variant(2, "Game 01."), teachable(solve_rate=0.95)))
    assert [entry.title for entry in gallery.find(database, Search(accepted=True, limit=1))] == ["Late."]
    assert gallery.find(database, Search(words="Game 01."))[0].solve_rate == 0.95


def test_a_replay_without_hints_keeps_the_regret_measured_before(memory: Memory):
    remember(memory, (variant(2, "Game 01."), teachable(hinted_played=False, regret=0.0)))
    (entry,) = DesignSearch().find(reader(memory), Search(words="Game 01."))
    assert entry.regret == pytest.approx(0.1)


def test_reading_never_locks_the_writer(memory: Memory):
    database = reader(memory)
    DesignSearch().find(database, Search(kind="game"))
    remember(memory, (variant(50, "While read."), teachable()))
    assert run_status(database).last_cycle == 3


def test_documents_say_what_came_of_them(memory: Memory):
    found = {each.document_id: each.designs for each in document_uses(reader(memory), DesignSearch())}
    assert (found["doc1"].accepted, found["doc1"].refused) == (2, 1)
    assert found["doc1"].regret == pytest.approx(0.15)


def test_a_dossier_tells_a_designs_whole_story(memory: Memory):
    dossier = read_design_history(reader(memory), variant(2, "Game 01.").id)
    assert (dossier.judgements[0].accepted, dossier.history[0].cycle, len(dossier.plays)) == (True, 0, 2)
    assert dossier.document is not None
    assert dossier.neighbours[0].similarity > 0.9


def test_one_line_is_read_as_the_whole_file_is(tmp_path: Path):
    run = a_run(tmp_path / "run", words="Löse\nmich")
    episodes = read_episodes(run, 1)
    assert [read_episode(run, 1, line) for line in range(len(episodes))] == episodes
    assert first_observation(run, 1, 3) == "Löse\nmich"
    assert read_draft(run, 1, "1-0")["text"] == "Löse\nmich"


def test_metrics_and_events_can_be_read_from_the_end(tmp_path: Path):
    database = Database(a_run(tmp_path / "run") / "openspade.db", readonly=True)
    assert read_cycles(database, ("funnel/drafts", "not/measured"), last=2) == [
        (1, {"funnel/drafts": 4.0}),
        (2, {"funnel/drafts": 4.0}),
    ]
    events = read_events(database, limit=2)
    assert [event.cycle for event in events] == [2, 1]
    assert [event.cycle for event in read_events(database, before=events[-1].number)] == [0]


def test_flags_are_kept_shown_and_asked_for(tmp_path: Path):
    with open_memory(tmp_path) as memory:
        played = {
            "Misleads.": teachable(pairs=8, solve_rate=0.5, hinted_solve_rate=0.1, regret=-0.4, regret_se=0.1),
            "Coin.": teachable(
                pairs=8, solve_rate=0.5, unaided_return=0.5, hinted_return=0.5, regret=0.0, blind_return=0.5
            ),
            "Secret.": teachable(pairs=8, solve_rate=0.0, hinted_solve_rate=1.0, regret=1.0),
            "Sound.": teachable(pairs=8),
        }
        remember(memory, *((variant(number, title), stats) for number, (title, stats) in enumerate(played.items(), 1)))
        assert titles(memory, flag="hint hurts") == ["Misleads."]
        assert titles(memory, flag="luck") == ["Coin."]
        assert titles(memory, flag="hint needed") == ["Secret."]
        assert {entry.title: entry.flags for entry in DesignSearch().find(reader(memory), Search())} == {
            "Misleads.": ("hint hurts",),
            "Coin.": ("luck",),
            "Secret.": ("hint needed",),
            "Sound.": (),
        }
        reasons = [one.reason for one in memory.negatives(SKILL, 4, random.Random(0))]
        assert any("its hint misleads" in reason for reason in reasons)
        assert any("pure luck" in reason for reason in reasons)
