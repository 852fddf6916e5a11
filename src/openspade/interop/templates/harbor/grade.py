"""Plays the collected log of actions once more, on the verifier's own copy of the program, and prints the score."""

from __future__ import annotations

import json

from play import FOLDER, episode

if __name__ == "__main__":
    print(episode(json.loads((FOLDER / "instance.json").read_text(encoding="utf-8")))[0].score)
