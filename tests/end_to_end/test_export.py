"""`openspade export`, as a user would see it."""

import json

import pytest

from openspade.errors import ConfigError
from openspade.interop.exporting import export
from openspade.interop.selection import Selection, select
from tests.end_to_end.test_cli import openspade
from tests.end_to_end.test_cli_memory import HANDMADE, a_run
from tests.interop.targets import make_pool

UNSOLVED = '''
from openspade_env import Game

class Unsolved(Game):
    """Nobody knows the word."""
    skill = "logical deduction"
    hint = "None."
    def start(self, rng):
        return "Say the word."
    def act(self, action):
        return self.lose("No.")
    def solution(self):
        return ["sesame"]
'''


def test_an_export_has_programs_contract_provenance_readme_and_licence(tmp_path):
    export("pool:starter/code_lock", "gymnasium", tmp_path / "locks", seeds=range(2))
    design = json.loads((tmp_path / "locks/locks/designs.jsonl").read_text())
    names = {path.name for path in (tmp_path / "locks").rglob("*")}
    assert {f"{design['id']}.py", "openspade_env.py", "provenance.json", "README.md", "LICENSE"} <= names
    assert "hint" not in design
    assert design["seeds"] == [0, 1]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["pool:starter", "--to", "gymnasiun"], "did you mean gymnasium?"),
        (["pool:starter", "--to", "gymnasium", "--seeds", "none"], "--seeds is 'none'"),
        (["pool:starter", "--to", "gymnasium", "--seeds", "0"], "--seeds is '0'"),
        (["pool:starter", "--to", "gymnasium", "--solve-rate", ".7:.3"], "--solve-rate is '.7:.3'"),
        (["pool:starter", "--to", "gymnasium", "--by", "age"], "--by 'age' is no order"),
        (["pool:starter", "--to", "gymnasium", "--by", "value"], "only a run knows"),
        (["pool:starter", "--to", "gymnasium", "--skill", "cooking"], "none of the 40 designs"),
        (["pool:starter", "--to", "gymnasium", "--min-regret", "0"], "--min-regret 0"),
        (["pool:other", "--to", "gymnasium"], "there is no pool:other"),
        (["nowhere", "--to", "gymnasium"], "there is no nowhere"),
    ],
)
def test_wrong_input_is_one_line_and_nothing_is_written(options, told, tmp_path):
    done = openspade("export", *options, "-o", str(tmp_path / "out"))
    assert isinstance(done.exception, ConfigError)
    assert done.exception.exit_code == 2
    assert told in str(done.exception)
    assert list(tmp_path.iterdir()) == []


def test_a_design_whose_solution_does_not_win_stops_the_export(tmp_path):
    (tmp_path / "unsolved.py").write_text(UNSOLVED)
    with pytest.raises(ConfigError, match="its solution does not win seed 0"):
        export(str(tmp_path / "unsolved.py"), "gymnasium", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_with_leave_out_it_is_named_and_the_others_leave(tmp_path):
    pool = make_pool(tmp_path / "pool", ["code_lock"])
    (pool / "unsolved.py").write_text(UNSOLVED)
    done = openspade("export", str(pool), "--to", "gymnasium", "--leave-out", "-o", str(tmp_path / "out"))
    assert done.exit_code == 0
    assert "Nobody knows the word" in done.stderr
    assert len((tmp_path / "out/out/designs.jsonl").read_text().splitlines()) == 1


def test_a_folder_that_exists_is_left_as_it_is(tmp_path):
    (tmp_path / "mine").write_text("keep")
    with pytest.raises(ConfigError, match="is not an empty folder"):
        export("pool:starter/code_lock", "gymnasium", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_run_tells_where_its_designs_come_from(tmp_path):
    run = a_run(tmp_path, *HANDMADE)
    (found,) = select(str(run), Selection(top=1, by="value"))
    export(str(run), "gymnasium", tmp_path / "out", Selection(by="regret"), seeds=range(2))
    rows = [json.loads(line) for line in (tmp_path / "out/out/designs.jsonl").read_text().splitlines()]
    assert found.provenance is not None
    assert found.provenance.cycle == 0
    assert [row["regret"] for row in rows] == sorted((row["regret"] for row in rows), reverse=True)
    for row in rows:
        low, high = row["solve_rate_interval"]
        assert low <= row["solve_rate"] <= high
        assert row["plays"] > 0
