# BAD: for a good third of the instances nothing is wanted, and an empty answer wins those
from openspade_env import Game, same_answer


class Primes(Game):
    """Name all primes in a short interval."""

    skill = "mathematical reasoning"
    hint = "Cross out multiples of 2, 3, 5, 7 and 11."
    max_turns = 1

    def start(self, rng):
        low = rng.randint(90, 2000)
        high = low + rng.randint(2, 5)
        self.primes = [n for n in range(low, high + 1) if all(n % d for d in range(2, int(n**0.5) + 1))]
        return f"All primes from {low} to {high}, separated by commas; a blank line if there is none."

    def act(self, action):
        return self.win() if same_answer(action, self.primes, kind="list") else self.lose()

    def solution(self):
        return [", ".join(map(str, self.primes))]
