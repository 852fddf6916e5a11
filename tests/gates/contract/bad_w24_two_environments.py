from openspade_env import Game


class First(Game):
    """One game."""

    skill = "logical deduction"
    hint = "Think."

    def start(self, rng):
        return "?"

    def act(self, action):
        return self.lose()

    def solution(self):
        return [""]


class Second(Game):
    """And another one. Which is meant?"""

    skill = "logical deduction"
    hint = "Think."

    def start(self, rng):
        return "?"

    def act(self, action):
        return self.lose()

    def solution(self):
        return [""]
