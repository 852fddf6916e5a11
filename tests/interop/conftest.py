"""What the tests of all targets share: twenty designs, and their scores in our own sandbox."""

import pytest

from tests.interop.targets import exported, make_pool, scores_here


@pytest.fixture(scope="session")
def twenty(tmp_path_factory):
    """A pool of ten games and ten tool tasks."""
    return make_pool(tmp_path_factory.mktemp("interop") / "twenty")


@pytest.fixture(scope="session")
def scores(twenty, tmp_path_factory):
    """What both players get of them here."""
    return scores_here(exported("gymnasium", tmp_path_factory.mktemp("scores") / "counted", twenty))
