from openspade_env import Game, same_answer


class CaseIsTheTask(Game):
    """Where upper and lower case carry the answer, exact comparison is right; blanks around it still do not matter."""

    skill = "pattern recognition"
    hint = "Every letter changes its case, and the word is read from its end."
    max_turns = 1

    def start(self, rng):
        self.word = "".join(rng.choice([letter, letter.upper()]) for letter in rng.sample("abcdefghijklmnop", 6))
        return f"Turn {self.word} around and swap upper and lower case."

    def act(self, action):
        return self.win() if same_answer(action, self.word[::-1].swapcase()) else self.lose()

    def solution(self):
        return [self.word[::-1].swapcase()]
