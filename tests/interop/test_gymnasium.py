"""An export for Gymnasium, played by Gymnasium itself."""

from tests.interop.targets import OURS, exported, interpreter, run_there


def test_gymnasium_pays_what_our_sandbox_pays_without_openspade(twenty, scores, tmp_path):
    exported("gymnasium", tmp_path / "twenty_envs", twenty)
    told = run_there(interpreter("gymnasium"), "play_gymnasium.py", tmp_path / "twenty_envs")
    assert told == {"scores": scores, "complaints": [], "confined": False, "warned": ["Unconfined"]}


def test_where_openspade_is_installed_gymnasium_plays_confined(twenty, scores, tmp_path):
    exported("gymnasium", tmp_path / "confined_envs", twenty)
    told = run_there(OURS, "play_gymnasium.py", tmp_path / "confined_envs")
    assert told == {"scores": scores, "complaints": [], "confined": True, "warned": []}


def test_the_solution_wins_every_instance_and_knowing_nothing_wins_hardly_any(scores):
    won = [score for found in scores["solution"].values() for score in found]
    naive = [score for found in scores["naive"].values() for score in found]
    assert won == [1.0] * 160
    assert sum(score == 1.0 for score in naive) <= 8
