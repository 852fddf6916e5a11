from openspade_env import Game, same_answer


class Rewritten(Game):
    """One hint stands in the class, another one is shown."""

    skill = "mathematical reasoning"
    hint = "Add the tens first."

    def start(self, rng):
        self.numbers = rng.sample(range(100, 1000), 2)
        return f"{self.numbers[0]} + {self.numbers[1]}?"

    def act(self, action):
        return self.win() if same_answer(action, sum(self.numbers), kind="number") else self.lose()

    def solution(self):
        return [str(sum(self.numbers))]


Rewritten.hint = "The sum is what you get when you add, and it is a secret."
