"""The player's one command: `sudo play` looks, `sudo play MOVE` moves, `sudo play --call TOOL JSON` calls a tool.

It runs as root, so that nobody else reads the program or writes the log of actions. The episode is that log: it is
played again each time, and once more by the verifier.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

from environments.playing import Play
from environments.replies import called

MOST_CHARACTERS = 20_000


def episode(instance: dict) -> tuple[Play, str]:
    """The episode as far as its log goes, and what was shown last."""
    warnings.simplefilter("ignore")
    # The container is the wall here.
    play = Play(instance["design"], confined=False, calls_are_turns=True)
    shown = play.begin(instance["seed"])
    log = Path(instance["log"])
    for line in log.read_text(encoding="utf-8").splitlines() if log.is_file() else []:
        shown = play.step(json.loads(line)).shown
    return play, shown


def main(words: list[str]) -> None:
    instance = json.loads((FOLDER / "instance.json").read_text(encoding="utf-8"))
    play, shown = episode(instance)
    if words and not play.over:
        text = " ".join(words)[:MOST_CHARACTERS]
        calls = [called(words[1], " ".join(words[2:]) or "{}")] if words[0] == "--call" and len(words) > 1 else []
        game = play.facts["kind"] == "game"
        action = text if game else {"text": "" if calls else text, "calls": calls}
        shown = play.step(action).shown
        with Path(instance["log"]).open("a", encoding="utf-8") as log:
            log.write(json.dumps(action) + "\n")
    print(shown)
    if play.over:
        print("The episode is over.")


if __name__ == "__main__":
    main(sys.argv[1:])
