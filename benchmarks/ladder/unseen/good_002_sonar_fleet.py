# GOOD: hidden ship on a board, distance feedback, every sunk field must be hit
from openspade_env import Game, as_number


class Sonar(Game):
    """Sink a ship of three fields on a 9 by 9 sea; misses tell the distance to its nearest field."""

    skill = "spatial reasoning"
    hint = "Three distances from corners fix the place; then follow the line."
    max_turns = 14

    def start(self, rng):
        across = rng.random() < 0.5
        r, c = rng.randrange(9 - 2 * (not across)), rng.randrange(9 - 2 * across)
        self.ship = [(r + i * (not across), c + i * across) for i in range(3)]
        self.hit = set()
        return "A ship of three fields lies in a row or column. Say row column, each 0 to 8; fourteen shots."

    def act(self, action):
        parts = [as_number(part) for part in action.replace(",", " ").split()]
        if len(parts) != 2 or None in parts or not all(p.denominator == 1 and 0 <= p <= 8 for p in parts):
            return "Say row column, each 0 to 8."
        at = (int(parts[0]), int(parts[1]))
        if at not in self.ship:
            return f"Splash. Nearest field of the ship: {min(abs(at[0] - r) + abs(at[1] - c) for r, c in self.ship)} away."
        self.hit.add(at)
        return self.win("Sunk.") if len(self.hit) == 3 else "A hit."

    def solution(self):
        return [f"{r} {c}" for r, c in self.ship]
