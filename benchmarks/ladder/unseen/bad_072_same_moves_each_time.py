# BAD: the maze looks different for each seed but the way out is always the same
from openspade_env import Game


class Maze(Game):
    """Walk through a maze whose rooms have names; find the exit."""

    skill = "spatial reasoning"
    hint = "Keep to the right-hand wall."
    max_turns = 8

    def start(self, rng):
        self.rooms = rng.sample("hall crypt attic study vault porch chapel pantry".split(), 6)
        self.at = 0
        return f"You stand in the {self.rooms[0]}. Doors: north, east, south. Where to?"

    def act(self, action):
        way = ["north", "north", "east", "north", "east"][self.at]
        if action.strip().lower() != way:
            return self.lose("A trapdoor.")
        self.at += 1
        return self.win("Out.") if self.at == 5 else f"You stand in the {self.rooms[self.at]}. Doors: north, east, south."

    def solution(self):
        return ["north", "north", "east", "north", "east"]
