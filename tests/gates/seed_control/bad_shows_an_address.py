from openspade_env import Game, same_answer


class Token:
    pass


class NamedByAddress(Game):
    """A guest is announced by the text of an object, which holds its address."""

    skill = "mathematical reasoning"
    hint = "Double it."

    def start(self, rng):
        self.number = rng.randint(100, 999)
        return f"{Token()} asks: twice {self.number}?"

    def act(self, action):
        return self.win() if same_answer(action, 2 * self.number, kind="number") else self.lose()

    def solution(self):
        return [str(2 * self.number)]
