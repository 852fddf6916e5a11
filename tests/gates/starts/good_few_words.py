from openspade_env import Game, same_answer


class FewWords(Game):
    """One line is enough, if it is the whole task."""

    skill = "mathematical reasoning"
    hint = "Tens times tens, tens times ones, ones times ones."
    max_turns = 1

    def start(self, rng):
        self.a, self.b = rng.randint(11, 99), rng.randint(11, 99)
        return f"{self.a} * {self.b} = ?"

    def act(self, action):
        return self.win() if same_answer(action, self.a * self.b, kind="number") else self.lose()

    def solution(self):
        return [str(self.a * self.b)]
