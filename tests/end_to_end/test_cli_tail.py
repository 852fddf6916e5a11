"""`openspade tail`: what a run did lately, and what it does now."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from openspade.cli.tail import line_of, watch
from openspade.memory.database import Database
from openspade.memory.memory import Memory
from openspade.memory.read.run_metrics import Happening
from tests.end_to_end.test_cli import openspade
from tests.unit.memories import a_cycle, open_memory

FULL = {
    "funnel/accepted": 24.0, "funnel/drafts": 32.0, "designs/in_band_share": 1.0, "designs/regret_mean": -0.12,
    "designs/solve_rate_unaided": 1.0, "designs/solve_rate_hinted": 1.0, "seconds/cycle": 4000.0,
}  # fmt: skip


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A run that wants five cycles and has played two."""
    with open_memory(tmp_path) as opened:
        opened.record_run("run", {"config": {"run": {"cycles": 5}}})
        opened.record_evaluation(
            -1, "nano", {"heldout/score": 0.25, "heldout/score_low": 0.2, "heldout/score_high": 0.3}
        )
        for cycle in range(2):
            opened.commit(a_cycle(cycle), state={}, checkpoint="")
        opened.record_event(0, "untrained", "nothing had any spread")
        yield opened


@pytest.fixture
def reader(memory: Memory) -> Iterator[Database]:
    database = Database(memory.run_directory / "openspade.db", readonly=True)
    yield database
    database.close()


def seen(happenings: list[Happening]) -> list[tuple[str, int]]:
    return [(happening.kind, happening.cycle) for happening in happenings]


def test_the_latest_are_shown_in_order_beside_the_writer(memory: Memory):
    result = openspade("tail", memory.run_directory)
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["held-out", "cycle", "untrained,", "cycle"]
    assert result.stdout.splitlines()[1].startswith("cycle 1/5 ")


def test_as_many_as_asked_for_are_shown(memory: Memory):
    last = openspade("tail", memory.run_directory, "-n", "1", "--json").stdout
    assert json.loads(last) == {"kind": "cycle", "cycle": 1, "metrics": {"regret/mean": 0.1}}
    assert openspade("tail", memory.run_directory, "-n", "0").stdout == ""


def test_what_happens_later_is_followed_to_the_last_cycle(memory: Memory, reader: Database):
    def play_on() -> None:
        cycle = memory.last_cycle() + 1
        memory.commit(a_cycle(cycle), state={}, checkpoint="")
        memory.record_event(cycle, "collapse", "mazes")

    found = list(watch(reader, 1, play_on, follow=True))
    assert seen(found) == [
        ("cycle", 1),
        *(pair for cycle in (2, 3, 4) for pair in (("cycle", cycle), ("event", cycle))),
    ]


def test_a_run_that_is_over_is_not_waited_for(memory: Memory):
    for cycle in range(2, 5):
        memory.commit(a_cycle(cycle), state={}, checkpoint="")
    assert openspade("tail", memory.run_directory, "--follow", "-n", "2").exit_code == 0


def test_a_score_is_told_once(memory: Memory, reader: Database):
    def examine() -> None:
        memory.record_evaluation(memory.last_cycle(), "nano", {"heldout/score": 0.5})
        memory.commit(a_cycle(memory.last_cycle() + 1), state={}, checkpoint="")

    found = seen(list(watch(reader, 0, examine, follow=True)))
    assert [pair for pair in found if pair[0] == "evaluation"] == [("evaluation", cycle) for cycle in (1, 2, 3)]


def test_the_longest_cycle_line_fits_into_eighty_columns():
    line = line_of(Happening(kind="cycle", cycle=399, numbers=FULL), 400)
    assert line.endswith("1 h 6 min")
    assert len(line) <= 80


def test_a_folder_without_a_run_is_named(tmp_path: Path):
    assert "there is no database" in str(openspade("tail", tmp_path).exception)
