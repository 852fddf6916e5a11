from openspade_env import Game


class CaseMatters(Game):
    """Refuses a right answer for its capital letters."""

    skill = "pattern recognition"
    hint = "Read from the end."

    def start(self, rng):
        self.word = "".join(rng.sample("abcdefghij", 6))
        return f"{self.word} backwards?"

    def act(self, action):
        return self.win() if action.strip() == self.word[::-1] else self.lose()

    def solution(self):
        return [self.word[::-1]]
