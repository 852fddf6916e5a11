# GOOD: a game of sixty turns with one question each, four wrong ones allowed
from openspade_env import Game


class March(Game):
    """Answer the sentry's sums for fifty posts; the fifth wrong answer ends the march."""

    skill = "mathematical reasoning"
    hint = "Keep only the last two digits while you add."
    max_turns = 60

    def start(self, rng):
        self.sums = [(rng.randint(11, 99), rng.randint(11, 99)) for _ in range(50)]
        self.post, self.wrong = 0, 0
        return f"Answer with the last two digits of each sum, such as 07. {self._ask()}"

    def _ask(self):
        return "Post {}: {} + {}?".format(self.post + 1, *self.sums[self.post])

    def act(self, action):
        if action.strip() != f"{sum(self.sums[self.post]) % 100:02d}":
            self.wrong += 1
            return self.lose("The fifth wrong answer.") if self.wrong == 5 else f"Wrong. {self._ask()}"
        self.post += 1
        return self.win("Home.") if self.post == 50 else self._ask()

    def solution(self):
        return [f"{(a + b) % 100:02d}" for a, b in self.sums]
