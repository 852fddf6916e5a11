from openspade_env import Game


class ActTakesNothing(Game):
    """act() has no room for an action."""

    skill = "logical deduction"
    hint = "Think."

    def start(self, rng):
        return "?"

    def act(self):
        return self.win()

    def solution(self):
        return [""]
