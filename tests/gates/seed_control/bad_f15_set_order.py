from openspade_env import Game, same_answer


class SetOrder(Game):
    """Shows a set of words in the order of their hashes, which no two processes share."""

    skill = "pattern recognition"
    hint = "Compare first letters, then second ones."

    def start(self, rng):
        self.words = {"".join(rng.sample("abcdefghij", 4)) for _ in range(9)}
        return f"Which word is first in the alphabet: {' '.join(self.words)}?"

    def act(self, action):
        return self.win() if same_answer(action, min(self.words), kind="text") else self.lose()

    def solution(self):
        return [min(self.words)]
