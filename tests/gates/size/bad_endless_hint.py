from openspade_env import Game, same_answer


class EndlessHint(Game):
    """Add two numbers; the hint is a lecture."""

    skill = "mathematical reasoning"
    hint = """Add tens first, then units, and then look again at what you have written, and then again, and then once more,
    because looking again is what makes a sum right, and whoever looks again finds what was wrong, and whoever finds what
    was wrong can mend it, and whoever mends it has it right, and whoever has it right need not look again, unless there
    is time, for there is always time to look again, and a sum that was looked at again is a sum one can trust, and a sum
    one can trust is worth more than a sum that was written in haste, and haste is what makes sums wrong, so do not haste,
    but look again, add the tens, add the units, carry what must be carried, and write down what remains to be written."""

    def start(self, rng):
        self.numbers = rng.sample(range(100, 1000), 2)
        return f"{self.numbers[0]} + {self.numbers[1]}?"

    def act(self, action):
        return self.win() if same_answer(action, sum(self.numbers), kind="number") else self.lose()

    def solution(self):
        return [str(sum(self.numbers))]
