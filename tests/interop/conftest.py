"""What the tests of all targets share: twenty designs, their scores in our own sandbox, and who was proven."""

from pathlib import Path

import pytest

from openspade.interop.targets import TARGETS
from tests.interop.targets import exported, make_pool, scores_here


@pytest.fixture(scope="session")
def twenty(tmp_path_factory):
    """A pool of ten games and ten tool tasks."""
    return make_pool(tmp_path_factory.mktemp("interop") / "twenty")


@pytest.fixture(scope="session")
def scores(twenty, tmp_path_factory):
    """What both players get of them here."""
    return scores_here(exported("gymnasium", tmp_path_factory.mktemp("scores") / "counted", twenty))


def pytest_terminal_summary(terminalreporter):
    """One line: the targets whose tests all passed here, and the others."""
    ended = {
        outcome: {_target(report.nodeid) for report in terminalreporter.stats.get(outcome, [])}
        for outcome in ("passed", "failed", "error", "skipped")
    }
    proven = ended["passed"] - ended["failed"] - ended["error"] - ended["skipped"]
    named = [name for name in TARGETS if name in proven]
    if named:
        others = [name for name in TARGETS if name not in proven]
        terminalreporter.write_line(f"exports proven by the real package: {', '.join(named)}")
        terminalreporter.write_line(f"not proven here: {', '.join(others) or 'none'}")


def _target(nodeid: str) -> str:
    path, _, test = nodeid.partition("::")
    if "interop" not in path:
        return ""
    name = Path(path).stem.removeprefix("test_").replace("_", "-")
    return "verifiers-v0" if name == "verifiers" and "old" in test else name
