from openspade_env import Game, same_answer


class Collatz(Game):
    """A loop whose end is not obvious, with a limit of its own."""

    skill = "pattern recognition"
    hint = "Write down only the odd numbers; count a halving for each time you can halve."
    max_turns = 1

    def start(self, rng):
        self.first = rng.randint(20, 400)
        return f"From {self.first}: halve it when even, else times three plus one. After how many steps are you at 1?"

    def steps(self):
        number, count = self.first, 0
        while number != 1 and count < 10_000:
            number, count = (number // 2 if number % 2 == 0 else 3 * number + 1), count + 1
        return count

    def act(self, action):
        return self.win() if same_answer(action, self.steps(), kind="number") else self.lose()

    def solution(self):
        return [str(self.steps())]
