"""What the pages of the dashboard are worked out with."""

import math
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("pygments")
from dataclasses import replace

from openspade.config import Config
from openspade.credit.creditor import Creditor
from openspade.dashboard.colouring import pieces
from openspade.dashboard.credit import draft_advantages, episode_advantage
from openspade.dashboard.drawing import sparkline
from openspade.dashboard.rendering import python_code, typeset, visible
from openspade.dashboard.run_index import writer_of
from openspade.engine.scripted import ByteTokenizer
from openspade.memory.database import Database
from openspade.memory.memory import Memory
from openspade.memory.read.design_history import plays_beside, unaided_plays
from openspade.runview import formats
from openspade.settings.worlds import MemoryConfig
from tests.fakes import a_playtest
from tests.unit.dashboards import a_run, a_spoken_stream
from tests.unit.mechanics import OTHERS
from tests.unit.memories import a_cycle, design_of, teachable

READ = ByteTokenizer().decode


def test_pieces_say_the_whole_stream_and_split_no_character():
    said = pieces(a_spoken_stream("Größe: 😀 ok"), READ)
    assert "".join(piece.text for piece in said) == "Größe: 😀 ok"
    assert not any("\ufffd" in piece.text for piece in said)


def test_a_piece_never_joins_what_was_shown_with_what_was_written():
    stream = a_spoken_stream("äääää")
    ids = [token for piece in pieces(stream, READ) for token in piece.ids]
    written = [piece.written for piece in pieces(stream, READ) for _ in piece.ids]
    assert (tuple(ids), tuple(written)) == (stream.ids, stream.written)


def test_tokens_without_a_tokenizer_are_shown_by_number():
    assert [piece.text for piece in pieces(a_spoken_stream("ab"), None)] == ["[97]", "[98]"]


def test_advantages_are_those_the_loss_was_given(tmp_path: Path):
    config, design = Config(), design_of(OTHERS[0])
    playtest = replace(a_playtest([[0, 1, 1], [0, 0, 1]], [[1, 1, 1], [1, 1, 1]], design=design.id), design=design)
    report = a_cycle(0, [(design, teachable())])
    report = replace(report, playtests=(playtest,))
    credit = Creditor(config).credit(0, report.verdicts, report.playtests)
    with Memory.open(tmp_path / "openspade.db", MemoryConfig()) as memory:
        memory.commit(report, state={}, checkpoint="")
    database = Database(tmp_path / "openspade.db", readonly=True)
    mine = [episode_advantage(database, play, config).value for play in unaided_plays(database, 0)]
    trained = [trajectory.advantage for trajectory in credit.trajectories if trajectory.role == "agent"]
    assert mine == pytest.approx(trained)


def test_an_episode_that_taught_nothing_says_why(tmp_path: Path):
    database = Database(a_run(tmp_path / "run") / "openspade.db", readonly=True)
    plays = plays_beside(database, unaided_plays(database, 0)[0])
    reasons = [episode_advantage(database, play, Config()).why_not for play in plays if play.hinted]
    assert set(reasons) == {"hinted episodes only measure"}


def test_drafts_that_earned_alike_carry_no_advantage(tmp_path: Path):
    database = Database(a_run(tmp_path / "run") / "openspade.db", readonly=True)
    found = draft_advantages(database, 0, Config())
    assert {(each.value, each.reward) for each in found.values()} == {(0.0, 0.5)}


def test_what_would_be_obeyed_is_drawn():
    assert visible("a\x1b[31m\r\nb\u202e\x9b\t") == "a␛[31m\nb⟨U+202E⟩⟨U+009B⟩\t"


def test_a_highlighted_program_cannot_leave_its_box():
    assert "</pre>" not in python_code('x = "</pre><script>"  # </pre>\n')


def test_figures_have_a_pages_signs():
    signed = typeset(formats.signed)
    assert (signed(-0.25), signed(-0.001), signed(None)) == ("\u22120.25", "0.00", "\u2013")


def test_a_course_of_one_value_is_not_drawn():
    assert sparkline([1.0, math.nan]) == ""
    assert "<polyline" in sparkline([1.0, math.nan, 2.0])


def test_a_run_is_in_training_while_somebody_may_write_it(tmp_path: Path):
    memory = Memory.open(tmp_path / "openspade.db", MemoryConfig())
    assert writer_of(tmp_path) is not None
    memory.close()
    assert writer_of(tmp_path) is None
