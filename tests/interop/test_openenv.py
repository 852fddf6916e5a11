"""An export for OpenEnv: its server started, episodes played by its client, both validators asked."""

from tests.interop.targets import exported, interpreter, run_there


def test_openenv_pays_what_our_sandbox_pays_and_validates(twenty, scores, tmp_path):
    exported("openenv", tmp_path / "served_envs", twenty)
    told = run_there(interpreter("openenv"), "play_openenv.py", tmp_path / "served_envs")
    assert told.pop("probe") >= 1
    assert told == {"scores": scores, "static": "pass", "running": True}
