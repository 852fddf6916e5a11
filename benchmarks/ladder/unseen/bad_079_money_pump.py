# BAD: walking between two rooms earns coins each time, so any to and fro wins
from openspade_env import Game


class Castle(Game):
    """Gather forty coins in a castle of nine rooms, each with its treasure."""

    skill = "planning"
    hint = "The corner rooms hold most."
    max_turns = 25

    def start(self, rng):
        self.coins = {(r, c): rng.randint(2, 6) for r in range(3) for c in range(3)}
        self.at, self.purse = (1, 1), 0
        return f"Rooms 3 by 3 with coins {[self.coins[r, c] for r in range(3) for c in range(3)]}; you are in the middle. north, south, east, west; forty coins win."

    def act(self, action):
        move = {"north": (-1, 0), "south": (1, 0), "east": (0, 1), "west": (0, -1)}.get(action.strip().lower())
        if move is None:
            return "north, south, east or west?"
        self.at = (min(2, max(0, self.at[0] + move[0])), min(2, max(0, self.at[1] + move[1])))
        self.purse += self.coins[self.at]
        return self.win("Rich.") if self.purse >= 40 else f"{self.purse} coins."

    def solution(self):
        return ["north", "south"] * 12
