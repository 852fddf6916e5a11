from openspade_env import Game, same_answer


class Remainders(Game):
    """A number is known only by what two divisions leave over. Find the smallest."""

    skill = "mathematical reasoning"
    hint = "List the numbers that leave the first remainder, in steps of its divisor, until one leaves the second too."
    max_turns = 1

    def start(self, rng):
        self.divisors = rng.choice([(7, 9), (8, 11), (9, 13), (11, 12), (12, 13), (10, 17)])
        number = rng.randrange(self.divisors[0] * self.divisors[1])
        self.left = [number % divisor for divisor in self.divisors]
        (a, b), (x, y) = self.divisors, self.left
        return (
            f"Divided by {a} it leaves {x}, divided by {b} it leaves {y}. Which is the smallest such number? 0 counts."
        )

    def number(self):
        return next(n for n in range(1000) if [n % divisor for divisor in self.divisors] == self.left)

    def act(self, action):
        return self.win() if same_answer(action, self.number(), kind="number") else self.lose()

    def solution(self):
        return [str(self.number())]
