"""`check` and `attack` on several environments, good, bad and unreadable."""

import json
from pathlib import Path

from tests.end_to_end.test_cli import EXAMPLES, GULLIBLE, SMALL_CHANGE, openspade


def test_several_environments_have_a_line_each_and_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "gullible.py").write_text(GULLIBLE)
    result = openspade("check", SMALL_CHANGE, tmp_path)
    lines = result.output.splitlines()
    assert lines[0] == f"✓ {SMALL_CHANGE}"
    assert "  floor_gap: A player that understands nothing" in result.output
    assert lines[-1] == "1 of 2 accepted"
    assert result.exit_code == 1


def test_a_file_that_cannot_be_read_does_not_keep_the_others_of_its_folder_from_being_judged(tmp_path: Path) -> None:
    (tmp_path / "a_picture.py").write_bytes(bytes(range(256)))
    (tmp_path / "small_change.py").write_text(Path(SMALL_CHANGE).read_text())
    result = openspade("check", tmp_path)
    assert "it is not UTF-8 text" in " ".join(result.output.split())
    assert "1 of 2 accepted" in result.output


def test_the_ladder_of_each_is_shown_when_asked_for() -> None:
    result = openspade("check", "--ladder", SMALL_CHANGE, "pool:starter/code_lock")
    assert result.output.count("✓ floor_gap") == 2
    assert "pool:starter/code_lock\n" in result.output


def test_a_machine_reads_what_each_gate_took() -> None:
    record = json.loads(openspade("check", "--json", EXAMPLES / "lighthouses.py").output)
    costs = {gate["gate"]: (gate["cpu_ms"], gate["child_ms"]) for gate in record["gates"]}
    assert costs["floor_gap"][0] > costs["floor_gap"][1] > 0


def test_what_is_rejected_before_it_is_attacked_is_counted_apart(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("class A")
    result = openspade("attack", tmp_path, "pool:starter/code_lock", "--seeds", "8")
    said = " ".join(result.output.split())
    assert "0 of 1 environments fell" in said
    assert "1 more were rejected by another gate first" in said
    assert result.exit_code == 0


def test_one_of_the_pool_is_played_by_its_name() -> None:
    result = openspade("play", "pool:starter/code_lock", "--seed", "3", says="/quit\n")
    assert "A lock with three different digits." in result.output
