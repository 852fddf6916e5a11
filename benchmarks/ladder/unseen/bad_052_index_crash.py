# BAD: a square outside the board raises
from openspade_env import Game, as_number


class Mines(Game):
    """Open the square that holds the lamp, guided by the distance to it."""

    skill = "spatial reasoning"
    hint = "Three distances fix the square."
    max_turns = 10

    def start(self, rng):
        self.size = 9
        self.lamp = (rng.randrange(9), rng.randrange(9))
        self.board = [[abs(r - self.lamp[0]) + abs(c - self.lamp[1]) for c in range(9)] for r in range(9)]
        return "Board 9 by 9. Say row column, each 0 to 8."

    def act(self, action):
        parts = [as_number(part) for part in action.split()]
        if len(parts) != 2 or None in parts or any(p.denominator > 1 for p in parts):
            return "Say row column."
        row, column = map(int, parts)
        distance = self.board[row][column]
        return self.win("Light.") if distance == 0 else f"{distance} away."

    def solution(self):
        return [f"{self.lamp[0]} {self.lamp[1]}"]
