"""`openspade memory` as a person types it."""

import json
from pathlib import Path

import pytest

from openspade.config import Config
from openspade.memory.write.exchange import exported_designs
from openspade.memory.write.history import drafts_path
from openspade.roles.source import read_design
from openspade.run_folder import write_config
from openspade.types import Design
from tests.end_to_end.test_cli import EXAMPLES, GULLIBLE, openspade
from tests.unit.memories import open_memory, remember, teachable

HANDMADE = sorted(path.name for path in EXAMPLES.glob("*.py"))[:2]


def design_of(name: str) -> Design:
    design = read_design((EXAMPLES / name).read_text())
    assert isinstance(design, Design)
    return design


def a_run(folder: Path, *names: str) -> Path:
    """A run of one cycle in which these examples were accepted and played."""
    run = folder / "run"
    with open_memory(folder) as memory:
        remember(memory, *[(design_of(name), teachable()) for name in names])
    write_config(Config(), run)
    return run


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return a_run(tmp_path, *HANDMADE)


def test_an_exported_folder_is_one_that_check_reads(run: Path, tmp_path: Path):
    result = openspade("memory", "export", run, "-o", tmp_path / "pool", "--json")
    assert json.loads(result.stdout) == {"designs": 2, "output": str(tmp_path / "pool")}
    assert openspade("check", tmp_path / "pool").exit_code == 0


def test_an_export_can_be_narrowed(run: Path, tmp_path: Path):
    for narrow in (("--solved", "0.9", "1"), ("--skill", "no such")):
        result = openspade("memory", "export", run, "-o", tmp_path / f"{narrow[1]}.jsonl", *narrow)
        assert (result.exit_code, result.stdout.startswith("0 designs written")) == (0, True)


def test_a_run_takes_over_what_another_found(run: Path, tmp_path: Path):
    other = a_run(tmp_path / "other")
    assert "2 new designs" in openspade("memory", "merge", other, run).stdout
    assert json.loads(openspade("memory", "merge", other, run, "--json").stdout) == {"taken": 0, "refused": 0}


def test_what_comes_from_files_must_pass_the_gates(tmp_path: Path):
    run, pool = a_run(tmp_path / "new"), tmp_path / "pool"
    pool.mkdir()
    (pool / "good.py").write_text((EXAMPLES / HANDMADE[0]).read_text())
    (pool / "gullible.py").write_text(GULLIBLE)
    result = openspade("memory", "merge", run, pool)
    assert (result.exit_code, "1 new designs, 1 refused by a gate" in result.stdout) == (1, True)
    assert "Says yes to anything" in result.stderr
    assert [each.design for each in exported_designs(run / "openspade.db")] == [design_of(HANDMADE[0])]


def test_trusted_files_are_taken_as_they_are(tmp_path: Path):
    run, program = a_run(tmp_path / "new"), tmp_path / "gullible.py"
    program.write_text(GULLIBLE)
    assert "1 new designs" in openspade("memory", "merge", run, program, "--unchecked").stdout


def test_pruning_asks_first_and_a_dry_run_deletes_nothing(run: Path):
    everything = ("memory", "prune", run, "--keep-cycles", "0", "--keep-best", "0")
    assert "2 designs would go" in openspade(*everything, "--dry-run").stdout
    assert openspade(*everything, says="n\n").exit_code == 1
    assert len(list(exported_designs(run / "openspade.db"))) == 2
    assert "2 designs deleted" in openspade(*everything, "--yes").stdout
    assert list(exported_designs(run / "openspade.db")) == []


def test_verify_names_what_is_broken(run: Path):
    assert openspade("memory", "verify", run).stdout.endswith(": sound\n")
    drafts_path(run, 0).unlink()
    result = openspade("memory", "verify", run, "--json")
    assert result.exit_code == 1
    assert "drafts/cycle_000000.jsonl.zst" in json.loads(result.stdout)["problems"][0]


@pytest.mark.parametrize("words", [("export", "nowhere", "-o", "x"), ("verify", "nowhere")])
def test_a_folder_without_a_run_is_refused(words: tuple[str, ...]):
    result = openspade("memory", *words)
    assert result.exception is not None
    assert "there is no database nowhere/openspade.db" in str(result.exception)
