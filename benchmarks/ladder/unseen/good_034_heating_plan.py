# GOOD: Literal and optional arguments, a default that is right for one room only
from typing import Literal
from openspade_env import Request, ToolTask, tool


class Heating(ToolTask):
    """A house's heating: set rooms by wish, with a mode and an optional end."""

    skill = "instruction following"
    hint = "Leave out the end where none is wished for."
    max_turns = 8

    def start(self, rng):
        one, two = rng.sample(["hall", "study", "loft", "bath", "cellar"], 2)
        self.wish = {one: (rng.choice(["day", "night", "eco"]), rng.randint(15, 24), None), two: (rng.choice(["day", "night", "eco"]), rng.randint(15, 24), rng.randint(18, 23))}
        told = [f"the {room} to {degrees} degrees in {mode} mode{f' until {end} o clock' if end else ''}" for room, (mode, degrees, end) in self.wish.items()]
        self.state = {"set": {}}
        self.requests = [Request(f"Please set {' and '.join(told)}.", done=lambda s: s["set"] == self.wish)]

    @tool
    def set_room(self, room: str, mode: Literal["day", "night", "eco"], degrees: int, until: int | None = None) -> str:
        """Set a room.

        until: hour of the day, or nothing for always
        """
        self.state["set"][room] = (mode, degrees, until)
        return "set"

    def solution(self):
        calls = []
        for room, (mode, degrees, end) in self.wish.items():
            calls.append(self.call("set_room", room=room, mode=mode, degrees=degrees, **({"until": end} if end else {})))
        return [calls]
