from openspade_env import Game, same_answer


class Hashed(Game):
    """Uses hash(), which is salted anew in every process."""

    skill = "pattern recognition"
    hint = "There is no way to know."

    def start(self, rng):
        self.word = "".join(rng.sample("abcdefghij", 5))
        self.answer = hash(self.word) % 1000
        return f"The secret number of {self.word}?"

    def act(self, action):
        return self.win() if same_answer(action, self.answer, kind="number") else self.lose()

    def solution(self):
        return [str(self.answer)]
