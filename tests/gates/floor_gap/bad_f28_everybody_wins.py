from openspade_env import Game


class EverybodyWins(Game):
    """The reward does not depend on the action."""

    skill = "logical deduction"
    hint = "Be yourself."

    def start(self, rng):
        self.code = str(rng.randint(1000, 9999))
        return f"Decode {self.code[::-1]}."

    def act(self, action):
        return self.win("Well done, whatever it was.")

    def solution(self):
        return [self.code]
