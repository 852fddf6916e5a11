"""The runs of a sweep."""

from pathlib import Path

import pytest

from openspade.cli.sweep_grid import SweepProgress, SweepRun, command, expand_grid, seconds_left
from openspade.errors import ConfigError
from openspade.recipe import load
from openspade.run_folder import write_config

RECIPE = Path(__file__).parents[2] / "recipes" / "tutorial.toml"


def runs(folder: Path, *over: str, seeds: int = 2) -> list[SweepRun]:
    return expand_grid(RECIPE, over, seeds, ["run.cycles=4"], folder)


def begin(run: SweepRun, *changed: str) -> None:
    run.directory.mkdir()
    write_config(load(RECIPE, [*run.overrides, *changed]), run.directory)


def test_a_grid_is_every_combination_with_every_seed_seed_by_seed(tmp_path: Path):
    names = [run.directory.name for run in runs(tmp_path, "control=,base", "reward.kind=blend,gated")]
    assert names[:4] == ["none-blend-seed0", "none-gated-seed0", "base-blend-seed0", "base-gated-seed0"]
    assert len(names) == 8


def test_a_comma_inside_a_list_does_not_part_values(tmp_path: Path):
    found = runs(tmp_path, 'curriculum.skills=["optimisation","logic"],[]', seeds=1)
    assert [run.setting for run in found] == ['curriculum.skills=["optimisation","logic"]', "curriculum.skills=[]"]


def test_a_new_run_is_trained_and_a_begun_one_goes_on(tmp_path: Path):
    run = runs(tmp_path)[0]
    assert command(RECIPE, run)[:2] == ["train", str(RECIPE)]
    begin(run)
    assert command(RECIPE, run) == ["resume", str(run.directory), "--cycles", "4"]


def test_a_run_with_other_settings_is_not_taken_for_this_one(tmp_path: Path):
    begin(runs(tmp_path)[0], "cycle.briefs=3")
    with pytest.raises(ConfigError, match=r"cycle\.briefs was 3, now 8"):
        runs(tmp_path)


def test_a_longer_sweep_goes_on_with_shorter_runs(tmp_path: Path):
    begin(runs(tmp_path)[0], "run.cycles=2")
    assert runs(tmp_path)[0].cycles == 4


@pytest.mark.parametrize("over", ["control", "nonsense=1,2", "reward.kind=blend,wrong"])
def test_a_wrong_axis_is_an_error_before_anything_runs(tmp_path: Path, over: str):
    with pytest.raises(ConfigError):
        runs(tmp_path, over)


def test_the_time_is_estimated_from_what_was_measured_each_setting_by_itself(tmp_path: Path):
    grid = runs(tmp_path, "control=,base", seeds=1)
    assert seconds_left(grid, [SweepProgress(), SweepProgress()], 1) is None
    assert seconds_left(grid, [SweepProgress(cycles=2, seconds_a_cycle=10.0), SweepProgress()], 1) == 60.0
    assert (
        seconds_left(
            grid, [SweepProgress(cycles=2, seconds_a_cycle=10.0), SweepProgress(cycles=4, seconds_a_cycle=1)], 1
        )
        == 20
    )
