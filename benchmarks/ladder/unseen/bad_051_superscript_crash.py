# BAD: isdigit() accepts superscripts, int() does not: such an answer raises
from openspade_env import Game


class Rungs(Game):
    """Climb a ladder by exact jumps without touching the wet rungs."""

    skill = "planning"
    hint = "Look two jumps ahead."
    max_turns = 30

    def start(self, rng):
        self.top, self.at = 24, 0
        self.wet = set(rng.sample(range(2, 23, 2), 6))
        return f"24 rungs, wet: {sorted(self.wet)}. Jump 1, 2 or 3 each turn."

    def act(self, action):
        if not action.strip().isdigit():
            return "1, 2 or 3?"
        jump = int(action)
        if jump not in (1, 2, 3):
            return "1, 2 or 3?"
        self.at += jump
        if self.at in self.wet:
            return self.lose("You slip.")
        return self.win("Up.") if self.at >= self.top else f"Rung {self.at}."

    def solution(self):
        moves, at = [], 0
        while at < self.top:
            jump = 1 if at + 1 not in self.wet else 2
            moves, at = [*moves, str(jump)], at + jump
        return moves
