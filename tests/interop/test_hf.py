"""An export as a dataset, read by `datasets` itself."""

import importlib
import json
import sys

import pytest

from openspade.interop.exporting import export
from tests.end_to_end.test_cli_memory import HANDMADE, a_run
from tests.interop.targets import exported

datasets = pytest.importorskip("datasets", reason="datasets is not installed: pip install 'openspade[corpus]'")


def _load(folder, name, cache):
    return datasets.load_dataset(str(folder), name, split="train", cache_dir=str(cache))


def test_the_schema_is_the_same_whether_designs_were_played_or_not(twenty, tmp_path):
    exported("hf", tmp_path / "unplayed", twenty)
    export(str(a_run(tmp_path, *HANDMADE)), "hf", tmp_path / "played", seeds=range(1))
    for name in ("designs", "instances", "hints"):
        unplayed, played = (_load(tmp_path / one, name, tmp_path / "cache") for one in ("unplayed", "played"))
        assert unplayed.features == played.features
        assert "null" not in {str(feature.dtype) for feature in unplayed.features.values()}


def test_programs_and_solutions_come_back_as_they_left(twenty, tmp_path, monkeypatch):
    done = exported("hf", tmp_path / "twenty", twenty)
    designs = _load(tmp_path / "twenty", "designs", tmp_path / "cache")
    instances = _load(tmp_path / "twenty", "instances", tmp_path / "cache")
    sources = {one.candidate.exported.design.id: one.candidate.exported.design.source for one in done.proven}
    assert dict(zip(designs["id"], designs["code"], strict=True)) == sources
    assert len(instances) == 160
    monkeypatch.syspath_prepend(str(tmp_path / "twenty"))
    play = importlib.import_module("environments.playing").Play(instances[0]["design"])
    assert play.begin(instances[0]["seed"]) == instances[0]["first_observation"]
    assert [play.step(action).score for action in json.loads(instances[0]["solution"])][-1] == 1.0
    play.close()
    for name in [one for one in sys.modules if one.partition(".")[0] == "environments"]:
        del sys.modules[name]
