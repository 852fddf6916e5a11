from openspade_env import Game, same_answer


class FourOptions(Game):
    """One of four numbers is prime; it stands anywhere, so that no place is worth more than chance."""

    skill = "mathematical reasoning"
    hint = "Try 3, 7, 11 and 13: each of the others has one of them as a factor."
    primes = (211, 223, 227, 229, 233, 239, 241, 251, 257, 263, 269, 271)

    def start(self, rng):
        self.prime = rng.choice(self.primes)
        numbers = [self.prime, 3 * rng.choice([71, 73, 79, 83, 89]), 7 * rng.choice([31, 37]), 11 * rng.choice([19, 23])]
        rng.shuffle(numbers)
        return f"Which of {', '.join(map(str, numbers))} is prime?"

    def act(self, action):
        return self.win() if same_answer(action, self.prime, kind="number") else self.lose()

    def solution(self):
        return [str(self.prime)]
