"""In an interpreter that has GEM: argv is the export's folder; prints scores."""

import importlib
import json
import sys
import warnings
from pathlib import Path

sys.path[:0] = [sys.argv[1], str(Path(__file__).parent)]
import gem
import players

warnings.simplefilter("ignore")
package = importlib.import_module(Path(sys.argv[1]).name)


def written(action) -> str:
    if isinstance(action, str):
        return f"Let me think. \\boxed{{{action}}}"
    calls = [json.dumps({"name": call["name"], "arguments": call["arguments"]}) for call in action["calls"]]
    return "\n".join([action["text"], *(f"<tool_call>{call}</tool_call>" for call in calls)])


def episode(environment, player: str, seed: int) -> float:
    first, _ = environment.reset(seed=seed)
    info = {"score": 0.0}
    for action in players.actions(environment.play, player, first):
        *_, terminated, truncated, info = environment.step(written(action))
        if terminated or truncated:
            break
    return info["score"]


scores: dict = {"solution": {}, "naive": {}}
for name in package.register():
    environment = gem.make(name)
    assert isinstance(environment, gem.core.Env)
    for player, found in scores.items():
        found[environment.design] = [episode(environment, player, seed) for seed in environment.play.facts["seeds"]]
    first, _ = environment.reset(seed=5)
    assert environment.spawn(same_state=True).seed == 5
    environment.step(environment.sample_random_action())
vector = gem.make_vec(package.register()[:2])
vector.reset()
players.tell({"scores": scores})
