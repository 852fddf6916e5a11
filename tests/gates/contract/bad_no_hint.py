from openspade_env import Game


class NoHint(Game):
    """Nothing to compare the unaided play with."""

    skill = "logical deduction"

    def start(self, rng):
        return "?"

    def act(self, action):
        return self.lose()

    def solution(self):
        return [""]
