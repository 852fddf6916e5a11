from openspade_env import Game, same_answer


class Divisors(Game):
    """Several numbers at once, in any order and with any brackets."""

    skill = "mathematical reasoning"
    hint = "Divisors come in pairs whose product is the number: stop at the square root."

    def start(self, rng):
        self.number = rng.choice([n for n in range(60, 400) if len(self.divisors(n)) >= 6])
        return f"All divisors of {self.number}, 1 and itself included?"

    def divisors(self, number):
        return [d for d in range(1, number + 1) if number % d == 0]

    def act(self, action):
        return self.win() if same_answer(action, self.divisors(self.number), kind="set") else self.lose()

    def solution(self):
        return [", ".join(map(str, self.divisors(self.number)))]
