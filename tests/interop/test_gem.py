"""An export for GEM, made and played by GEM itself."""

from tests.interop.targets import exported, interpreter, run_there


def test_gem_pays_what_our_sandbox_pays(twenty, scores, tmp_path):
    exported("gem", tmp_path / "gem_envs", twenty)
    assert run_there(interpreter("gem"), "play_gem.py", tmp_path / "gem_envs") == {"scores": scores}
