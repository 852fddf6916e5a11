"""In an interpreter that has verifiers 0.4: argv is the export's folder; prints scores of its episodes."""

import importlib
import sys
import warnings
from pathlib import Path

sys.path[:0] = [sys.argv[1], str(Path(__file__).parent)]
import players
from solver import Solver

warnings.simplefilter("ignore")
package = importlib.import_module(Path(sys.argv[1]).name)
episodes = importlib.import_module(f"{package.__name__}.episodes")
solver = Solver(package.__name__, one_call_a_message=True)
taskset = package.Designs(package.environment.DesignsConfig())


def score(task, player: str) -> float:
    episode = episodes.Episode(task.data.design, task.data.seed)
    said = [{"role": "system", "content": f"[{player} {task.data.design} {task.data.seed}]"}]
    turns = len(solver.plans[task.data.design, task.data.seed]) if player == "solution" else task.data.max_turns
    for _ in range(turns):
        if not episode.over:
            episode.step(solver(said))
            said.append({"role": "assistant"})
    # Whoever only has the list of its actions has the same episode.
    again = episodes.Episode(task.data.design, task.data.seed)
    again.catch_up(episode.actions)
    assert (again.score, again.over) == (episode.score, episode.over)
    return episode.score


scores: dict = {"solution": {}, "naive": {}}
for player, found in scores.items():
    for task in taskset:
        found.setdefault(task.data.design, []).append(score(task, player))
players.tell({"scores": scores})
