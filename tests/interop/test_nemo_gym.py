"""An export for NeMo Gym, played through its own server class and test client."""

from tests.interop.targets import exported, interpreter, run_there


def test_nemo_gym_pays_what_our_sandbox_pays(twenty, scores, tmp_path):
    done = exported("nemo-gym", tmp_path / "nemo_envs", twenty)
    told = run_there(interpreter("nemo-gym"), "play_nemo_gym.py", tmp_path / "nemo_envs")
    longest = max(proven.candidate.exported.design.max_turns for proven in done.proven)
    assert told == {"scores": scores, "steps": longest}
