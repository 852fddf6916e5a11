# BAD: credit counts the turns used, so nonsense till the end pays almost all
from openspade_env import Game


class Safe(Game):
    """Find a safe's three-digit code from how many digits are right."""

    skill = "logical deduction"
    hint = "Change one digit at a time."
    max_turns = 12

    def start(self, rng):
        self.code, self.tries = f"{rng.randint(0, 999):03d}", 0
        return "Three digits, ten tries. After each I tell how many digits stand right."

    def act(self, action):
        self.tries += 1
        if action.strip() == self.code:
            return self.win("Open.")
        right = sum(a == b for a, b in zip(action.strip(), self.code))
        if self.tries == 10:
            return self.score(0.9, "A good effort.")
        return f"{right} right."

    def solution(self):
        return [self.code]
