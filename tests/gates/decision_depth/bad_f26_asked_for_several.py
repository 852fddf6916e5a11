# asked: several turns
from openspade_env import Game, same_answer


class FourOptions(Game):
    """One of four numbers is prime; it stands anywhere, so that no place is worth more than chance."""

    skill = "mathematical reasoning"
    hint = "Try 3, 7, 11 and 13: each of the others has one of them as a factor."
    primes = (151, 167, 181, 199, 211, 229, 241, 257, 271, 283, 307, 317, 331, 349, 367, 383, 397)

    def start(self, rng):
        self.prime = rng.choice(self.primes)
        numbers = [self.prime, 3 * rng.randint(50, 133), 7 * rng.randint(22, 57), 11 * rng.randint(14, 36)]
        rng.shuffle(numbers)
        return f"Which of {', '.join(map(str, numbers))} is prime?"

    def act(self, action):
        return self.win() if same_answer(action, self.prime, kind="number") else self.lose()

    def solution(self):
        return [str(self.prime)]
