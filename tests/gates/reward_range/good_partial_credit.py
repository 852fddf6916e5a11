from openspade_env import Game, same_answer


class PartialCredit(Game):
    """Whoever gets some of the numbers right earns a share of 1."""

    skill = "mathematical reasoning"
    hint = "Square the tens, double the product of both, square the ones."
    max_turns = 1

    def start(self, rng):
        self.numbers = rng.sample(range(31, 99), 3)
        return f"The squares of {', '.join(map(str, self.numbers))}, in this order and separated by commas?"

    def act(self, action):
        given = [part.strip() for part in action.split(",")]
        right = sum(same_answer(one, n * n, kind="number") for one, n in zip(given, self.numbers, strict=False))
        if right == 3 == len(given):
            return self.win()
        return self.score(right / 4, f"{right} of 3 are right.")

    def solution(self):
        return [", ".join(str(n * n) for n in self.numbers)]
