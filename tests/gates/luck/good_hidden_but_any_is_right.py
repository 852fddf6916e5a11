from openspade_env import Game, as_number


class AnyDivisor(Game):
    """Name a divisor of a number, neither one nor itself; the judge thinks of one, and takes any."""

    skill = "mathematical reasoning"
    hint = "Try small primes first."
    max_turns = 1

    def start(self, rng):
        primes = [p for p in range(11, 100) if all(p % d for d in range(2, 10))]
        self.mine, other = rng.sample(primes, 2)
        self.number = self.mine * other
        return f"Name a divisor of {self.number} other than 1 and itself."

    def act(self, action):
        given = as_number(action)
        right = given is not None and given.denominator == 1 and 1 < given < self.number and self.number % given == 0
        return self.win() if right else self.lose()

    def solution(self):
        return [str(self.mine)]
