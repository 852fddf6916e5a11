from openspade_env import Game, same_answer


class NextTerm(Game):
    """A sequence follows one of several kinds of rules. Which number is next?"""

    skill = "pattern recognition"
    hint = "Write down the differences; if they tell nothing, look at every second number by itself."
    max_turns = 1

    def start(self, rng):
        a, b, c = rng.randint(2, 30), rng.randint(2, 9), rng.randint(2, 9)
        terms = rng.choice(
            [
                [a + b * i + c * i * i for i in range(7)],
                [a + b * i if i % 2 else 10 * c - b * i for i in range(7)],
                [a + b * i + (i % 3) * c for i in range(7)],
            ]
        )
        self.next = terms[-1]
        return f"{', '.join(map(str, terms[:-1]))} ... and then?"

    def act(self, action):
        return self.win() if same_answer(action, self.next, kind="number") else self.lose()

    def solution(self):
        return [str(self.next)]
