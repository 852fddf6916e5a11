"""In an interpreter that has Gymnasium: argv is the export's folder; prints scores and what `check_env` said."""

import importlib
import sys
import warnings
from pathlib import Path

sys.path[:0] = [sys.argv[1], str(Path(__file__).parent)]
import gymnasium
import players
from gymnasium.utils.env_checker import check_env

package = importlib.import_module(Path(sys.argv[1]).name)
playing = importlib.import_module(f"{package.__name__}.playing")


def episode(env, player: str, seed: int) -> float:
    first, _ = env.reset(seed=seed)
    total = 0.0
    for action in players.actions(env.unwrapped.play, player, first):
        _, reward, terminated, truncated, info = env.step(env.unwrapped.write(action))
        total += reward
        if terminated or truncated:
            break
    assert abs(total - info["score"]) < 1e-9, "the rewards' sum is the score"
    return info["score"]


scores: dict = {"solution": {}, "naive": {}}
complaints: list[str] = []
warned: set[str] = set()
for name in package.NAMES:
    env = gymnasium.make(name)
    design = env.unwrapped.design
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        check_env(env.unwrapped)
    complaints += [
        f"{design}: {one.message}"
        for one in said
        if one.category is not playing.Unconfined and "spec" not in str(one.message)
    ]
    # Said where the program is loaded, which `gymnasium.make` has done above.
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        playing.Play(design).close()
    warned.update(one.category.__name__ for one in said)
    seeds = playing.designs()[design]["seeds"]
    for player, found in scores.items():
        found[design] = [episode(env, player, seed) for seed in seeds]
    assert env.reset(seed=3)[0] == env.reset(seed=3)[0]
    confined = env.unwrapped.play.confined
    env.close()
vector = gymnasium.make_vec(package.NAMES[0], num_envs=2, vectorization_mode="sync")
assert len(vector.reset(seed=[1, 2])[0]) == 2
vector.close()
players.tell({"scores": scores, "complaints": complaints, "confined": confined, "warned": sorted(warned)})
