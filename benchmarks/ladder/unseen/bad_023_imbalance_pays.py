# BAD: nine of ten labels are the same, so calling everything fine pays nine tenths
from openspade_env import Game


class Letters(Game):
    """Sort ten letters: forged ones have a date after the postmark."""

    skill = "data retrieval"
    hint = "Compare both dates letter by letter."
    max_turns = 1

    def start(self, rng):
        self.forged = rng.randrange(10)
        rows = []
        for index in range(10):
            post = rng.randint(10, 20)
            rows.append(f"{index}: written {post + rng.randint(1, 8) if index == self.forged else post - rng.randint(1, 8)}, postmark {post}")
        return "; ".join(rows) + ". Ten letters f (forged) or g (genuine), in order, without blanks."

    def act(self, action):
        given = action.strip().lower()
        if len(given) != 10:
            return self.lose("Ten letters, please.")
        right = sum(g == ("f" if i == self.forged else "g") for i, g in enumerate(given))
        return self.score(right / 10, f"{right} of 10 right.")

    def solution(self):
        return ["".join("f" if i == self.forged else "g" for i in range(10))]
