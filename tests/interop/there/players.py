"""Two players that every target's script seats: the design's own solution, and one that understands nothing.

Standard library only: it runs in the interpreters of other projects.
"""

import json
import re
import sys


def naive(first: str, turn: int, tools: list[dict]) -> object:
    """The action of a player that repeats what it sees: the last number or word; every tool in turn, then declining."""
    if not tools:
        words = re.findall(r"[+-]?\d+|\w+", first)
        return words[-1 - turn % len(words)] if words else "1"
    names = [tool["function"]["name"] for tool in tools]
    name = names[turn % len(names)]
    arguments = {"reason": "no"} if name == "decline" else {}
    return {"text": "", "calls": [{"name": name, "arguments": arguments, "problem": ""}]}


def actions(play, player: str, first: str):
    """Actions one after another, without end."""
    plan = play.solution() if player == "solution" else []
    turn = 0
    while True:
        if player == "solution":
            if turn >= len(plan):
                return
            yield plan[turn]
        else:
            yield naive(first, turn, play.tools)
        turn += 1


def tell(value) -> None:
    """The script's one answer, on the last line."""
    sys.stdout.write("\n" + json.dumps(value) + "\n")
