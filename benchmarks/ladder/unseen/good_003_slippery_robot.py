# GOOD: chance in the transitions, drawn from the seed's own chance; the place is shown after each move
from openspade_env import Game


class Slippery(Game):
    """Lead a robot over ice to a flag; now and then it slips one field too far, and you see where it ends up."""

    skill = "planning"
    hint = "Correct after every move instead of planning the whole way at once."
    max_turns = 40

    def start(self, rng):
        self.rng, self.at = rng, [0, 0]
        self.flag = [rng.choice([-1, 1]) * rng.randint(4, 9), rng.choice([-1, 1]) * rng.randint(4, 9)]
        return f"You are at (0, 0), the flag is at ({self.flag[0]}, {self.flag[1]}). east, west, north or south? Stop exactly there."

    def act(self, action):
        move = {"east": (1, 0), "west": (-1, 0), "north": (0, 1), "south": (0, -1)}.get(action.strip().lower())
        if move is None:
            return "east, west, north or south?"
        far = 2 if self.rng.random() < 0.2 else 1
        self.at = [self.at[0] + far * move[0], self.at[1] + far * move[1]]
        return self.win("The flag!") if self.at == self.flag else f"You are at ({self.at[0]}, {self.at[1]})."

    def solution(self):
        moves = []
        while self.at != self.flag:
            dx, dy = self.flag[0] - self.at[0], self.flag[1] - self.at[1]
            moves.append("east" if dx > 0 else "west" if dx < 0 else "north" if dy > 0 else "south")
            self.act(moves[-1])
        return moves
