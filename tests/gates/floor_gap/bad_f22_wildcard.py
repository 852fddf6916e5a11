import re

from openspade_env import Game


class Wildcard(Game):
    """Takes the answer for a pattern."""

    skill = "pattern recognition"
    hint = "Read it backwards."

    def start(self, rng):
        self.word = "".join(rng.sample("abcdefghij", 6))
        return f"{self.word[::-1]} backwards?"

    def act(self, action):
        pattern = re.escape(action.strip()).replace(r"\*", ".*")
        return self.win() if re.fullmatch(pattern, self.word) else self.lose()

    def solution(self):
        return [self.word]
