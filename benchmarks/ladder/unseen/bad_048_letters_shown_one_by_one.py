# BAD: every wrong guess shows one more letter in place until the whole word stands there
from openspade_env import Game, same_answer


class Gallows(Game):
    """Guess a secret word of seven letters; each wrong guess costs a turn."""

    skill = "language"
    hint = "Guess words with many common letters."
    max_turns = 9

    def start(self, rng):
        self.word, self.shown = "".join(rng.choice("bcdfglmnprst") + rng.choice("aeiou") for _ in range(4))[:7], 0
        return "A made-up word of seven letters, eight guesses."

    def act(self, action):
        if same_answer(action, self.word, kind="text"):
            return self.win("That is it.")
        self.shown += 1
        return self.word[: self.shown] + "_" * (7 - self.shown)

    def solution(self):
        return [self.word]
