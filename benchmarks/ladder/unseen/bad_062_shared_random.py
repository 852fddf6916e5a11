# BAD: one Random of the class goes on from episode to episode when an answer is wrong
import random
from openspade_env import Game


class Dicer(Game):
    """Reach exactly 21 by adding dice shown one by one; a wrong word rolls an extra die."""

    skill = "planning"
    hint = "Stop counting when six or fewer are missing."
    max_turns = 20
    dice = random.Random(7)

    def start(self, rng):
        self.row = [rng.randint(1, 6) for _ in range(30)]
        self.total, self.at = 0, 0
        return f"Dice: {self.row[:12]}. take or skip each; exactly 21 wins."

    def act(self, action):
        word = action.strip().lower()
        if word not in ("take", "skip"):
            self.total += self.dice.randint(1, 6)
            return f"An extra die: {self.total}."
        self.total += self.row[self.at] * (word == "take")
        self.at += 1
        if self.total == 21:
            return self.win()
        return self.lose("Too many.") if self.total > 21 else f"{self.total}."

    def solution(self):
        best = {0: []}
        for die in self.row[:19]:
            for total, moves in list(best.items()):
                best.setdefault(total + die, [*moves, "take"]) if total + die not in best else None
            best = {**{t: m for t, m in best.items()}}
        return self._search(0, 0, [])

    def _search(self, at, total, moves):
        if total == 21:
            return moves
        if total > 21 or at == 19:
            return None
        return self._search(at + 1, total + self.row[at], [*moves, "take"]) or self._search(at + 1, total, [*moves, "skip"])
