from openspade_env import Game, same_answer


class Arithmetic(Game):
    """What all of a family of games share."""

    skill = "mathematical reasoning"
    hint = "Multiply by a hundred and take a quarter of it."


class TwentyFives(Arithmetic):
    """A hint may be inherited: it is still one text for all instances."""

    max_turns = 1

    def start(self, rng):
        self.number = rng.randint(100, 999)
        return f"Twenty-five times {self.number}?"

    def act(self, action):
        return self.win() if same_answer(action, 25 * self.number, kind="number") else self.lose()

    def solution(self):
        return [str(25 * self.number)]
