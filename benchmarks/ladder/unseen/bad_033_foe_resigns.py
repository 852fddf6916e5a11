# BAD: the opponent gives up at the first word that it does not understand
from openspade_env import Game, as_number


class Duel(Game):
    """Take one to three stones in turn; who takes the last one wins."""

    skill = "planning"
    hint = "Leave a multiple of four."
    max_turns = 20

    def start(self, rng):
        self.stones = rng.choice([n for n in range(13, 40) if n % 4])
        return f"{self.stones} stones. You begin: 1, 2 or 3?"

    def act(self, action):
        take = as_number(action)
        if take is None:
            return self.win("Your opponent is confused and resigns.")
        if take not in (1, 2, 3):
            return self.lose("That is against the rules.")
        self.stones -= int(take)
        if self.stones <= 0:
            return self.win("You took the last one.")
        mine = self.stones % 4 or 1
        self.stones -= mine
        return self.lose("I took the last one.") if self.stones <= 0 else f"I take {mine}; {self.stones} are left."

    def solution(self):
        moves, left = [], self.stones
        while left > 0:
            take = left % 4
            moves.append(str(take))
            left -= take
            left -= 1 if left else 0
        return moves
