from openspade_env import Game, same_answer


class CheckDigit(Game):
    """A checksum that the program works out itself is the same in every process; Python's hash() is not."""

    skill = "mathematical reasoning"
    hint = "Reduce every product before you add it."
    max_turns = 1

    def start(self, rng):
        self.digits = [rng.randint(0, 9) for _ in range(8)]
        shown = "".join(map(str, self.digits))
        return f"Digits {shown}. Multiply each by its place, counted from 1, add all up: what is left over by 97?"

    def answer(self):
        return sum(place * digit for place, digit in enumerate(self.digits, start=1)) % 97

    def act(self, action):
        return self.win() if same_answer(action, self.answer(), kind="number") else self.lose()

    def solution(self):
        return [str(self.answer())]
