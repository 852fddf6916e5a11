"""The commands as a person types them, on real environments in the real sandbox."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from openspade.cli.main import app

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "environments"
SMALL_CHANGE = str(EXAMPLES / "small_change.py")
HOSTILE = '''
from openspade_env import Game
class Loud(Game):
    """\x1b[2J[bold red]Loud"""
    skill = "logic"
    hint = "\\x1b]0;owned\\x07"
    max_turns = 2
    def start(self, rng): return "\\x1b[31mred [link=file:///etc/passwd]click[/link]"
    def act(self, action): return self.win("\\x9b2Jwon")
    def solution(self): return ["x"]
'''
GULLIBLE = '''
from openspade_env import Game
class Gullible(Game):
    """Says yes to anything."""
    skill = "logic"
    hint = "Any word will do."
    def start(self, rng): return f"Guess what I think of: {rng.randint(1, 10**9)}"
    def act(self, action): return self.win()
    def solution(self): return ["x"]
'''
LAMPS = '''
from openspade_env import Request, ToolTask, tool
class Lamps(ToolTask):
    """Switch lamps."""
    skill = "state modification"
    hint = "One call a lamp."
    def start(self, rng):
        self.state = {"hall": False}
        self.requests = [Request("Light in the hall, please.", done=lambda s: s["hall"])]
    @tool
    def switch(self, lamp: str, on: bool) -> str:
        """Switch a lamp."""
        self.state[lamp] = on
        return "done"
    def solution(self): return [[self.call("switch", lamp="hall", on=True)]]
'''


def openspade(*words: str | Path, says: str = "") -> Result:
    return CliRunner().invoke(app, [str(word) for word in words], input=says)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of three small cycles."""
    folder = tmp_path_factory.mktemp("runs")
    settings = [f"run.directory={folder}", "run.cycles=3", "cycle.briefs=2", "playtest.seeds=2"]
    result = openspade("train", ROOT / "recipes" / "tutorial.toml", *settings)
    assert result.exit_code == 0, result.output
    return folder / "tutorial"


def test_an_example_is_accepted_gate_by_gate():
    result = openspade("check", SMALL_CHANGE)
    assert result.exit_code == 0
    assert "✓ floor_gap" in result.output
    assert "accepted in" in result.output


def test_a_rejection_names_the_gate_and_the_exit_code_says_so(tmp_path: Path):
    (tmp_path / "empty.py").write_text("x = 1\n")
    result = openspade("check", tmp_path / "empty.py", "--json")
    record = json.loads(result.output)
    assert result.exit_code == 1
    assert record["accepted"] is False
    assert record["problems"][0]["gate"] == "contract"


def test_a_pool_is_attacked_and_what_falls_is_counted(tmp_path: Path):
    (tmp_path / "gullible.py").write_text(GULLIBLE)
    (tmp_path / "small_change.py").write_text(Path(SMALL_CHANGE).read_text())
    result = openspade("attack", tmp_path, "--seeds", "8")
    assert result.exit_code == 1
    assert "1 of 2 environments fell" in " ".join(result.output.split())


def test_a_person_solves_an_environment(tmp_path: Path):
    (tmp_path / "gullible.py").write_text(GULLIBLE)
    result = openspade("play", tmp_path / "gullible.py", "--seed", "1", says="/hint\nplum\n")
    assert "Hint: Any word will do." in result.output
    assert "Solved in 1 turn." in result.output
    assert result.exit_code == 0


def test_a_person_calls_tools(tmp_path: Path):
    (tmp_path / "lamps.py").write_text(LAMPS)
    result = openspade("play", tmp_path / "lamps.py", says='switch(lamp="hall", on=true)\n')
    assert "switch(lamp: string, on: boolean)  Switch a lamp." in result.output
    assert "= done" in result.output
    assert result.exit_code == 0


def test_leaving_before_the_end_is_not_solving_it():
    result = openspade("play", SMALL_CHANGE, says="/quit\n")
    assert "Left before the end." in result.output
    assert result.exit_code == 1


def test_an_environment_cannot_drive_the_terminal(tmp_path: Path):
    (tmp_path / "loud.py").write_text(HOSTILE)
    result = openspade("play", tmp_path / "loud.py", "--hint", says="x\n")
    assert "│ �[31mred [link=file:///etc/passwd]click[/link]" in result.output
    assert not {"\x1b", "\x07", "\x9b"} & set(result.output)


def test_a_run_leaves_a_folder_one_can_go_on_from(run: Path):
    assert {"config.toml", "openspade.db", "checkpoints", "episodes"} <= {path.name for path in run.iterdir()}


def test_a_finished_run_is_extended_and_speaks_json(run: Path):
    result = openspade("resume", run, "--cycles", "4", "--json")
    records = [json.loads(line) for line in result.output.splitlines() if line.startswith("{")]
    assert [record["cycle"] for record in records] == [3]
    assert records[0]["metrics"]["funnel/drafts"] == 8


def test_a_report_is_one_page_with_figures_beside_it_where_asked(run: Path, tmp_path: Path):
    result = openspade("report", run, "--output", tmp_path, "--markdown", "--pdf")
    assert result.exit_code == 0
    assert "most instructive environments" in (tmp_path / "report.html").read_text()
    assert "![Regret](regret.png)" in (tmp_path / "report.md").read_text()
    assert {"regret.png", "funnel.pdf", "solve_rates.png"} <= {path.name for path in tmp_path.iterdir()}


def test_a_design_of_a_run_is_played_by_the_beginning_of_its_id(run: Path):
    design = json.loads(openspade("resume", run, "--cycles", "5", "--json").output.splitlines()[-1])["accepted"][0]
    result = openspade("play", design["id"][:8], "--run", run, says="/solution\n/quit\n")
    assert design["title"][:20] in result.output


def test_a_configuration_shows_every_setting_with_its_help():
    result = openspade("config", "show", "run.cycles=7")
    assert "cycles = 7" in result.output
    assert "# How many cycles the run has in all" in result.output


def test_the_doctor_says_what_holds():
    report = json.loads(openspade("doctor", "--json").output)
    assert {wall["name"] for wall in report["walls"]} >= {"seccomp", "rlimits"}
    assert "torch" in report["packages"]


def test_a_corpus_is_built_and_shown(tmp_path: Path):
    (tmp_path / "notes.md").write_text("# Sorting\n\n" + "Sorting puts the smaller number first. " * 20)
    built = openspade(
        "corpus", "build", tmp_path / "notes.md", "-o", tmp_path / "c.jsonl", "--licence", "MIT", "--json"
    )
    assert json.loads(built.output)["by_licence"] == {"MIT": 1}
    assert "122 words" in openspade("corpus", "show", tmp_path / "c.jsonl").output


def test_a_sweep_runs_every_cell_once_and_compare_reads_it(tmp_path: Path):
    grid = ["sweep", ROOT / "recipes" / "tutorial.toml", "--over", "control=,base", "--seeds", "1", "--jobs", "2"]
    settings = ["--directory", tmp_path, "run.cycles=1", "cycle.briefs=1", "playtest.seeds=1"]
    assert openspade(*grid, *settings).exit_code == 0
    assert "2 finished" in " ".join(openspade(*grid, *settings).output.split())
    compared = json.loads(openspade("compare", tmp_path, "--json", "--png", tmp_path / "figure.png").output)
    assert [group["setting"] for group in compared["groups"]] == ['control=""', "control=base"]
    assert (tmp_path / "figure.png").stat().st_size > 10_000
