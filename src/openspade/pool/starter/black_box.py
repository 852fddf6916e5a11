from openspade_env import Game, as_number


class BlackBox(Game):
    """A box turns numbers into numbers. Try some, then foretell what it makes of one it refuses to show."""

    skill = "causal inference"
    hint = (
        "Try 0, then 1, then 50: the first tells what it adds, the step by what it multiplies, the last where it wraps."
    )
    max_turns = 8

    def start(self, rng):
        self.factor, self.shift, self.wrap = rng.randint(2, 9), rng.randint(1, 9), rng.choice([50, 64, 77, 90, 97])
        self.asked = rng.randint(300, 999)
        return (
            "Say 'try N' for N from 0 to 99 to see what the box makes of N. "
            f"Say 'answer M' to foretell what it makes of {self.asked}. Eight turns."
        )

    def box(self, number):
        return (self.factor * number + self.shift) % self.wrap

    def act(self, action):
        word, _, rest = action.strip().partition(" ")
        number = as_number(rest)
        if number is None or word not in ("try", "answer"):
            return "Say 'try N' or 'answer M'."
        if word == "answer":
            return self.win("So it is.") if number == self.box(self.asked) else self.lose("No.")
        if not 0 <= number <= 99 or number.denominator > 1:
            return "It takes whole numbers from 0 to 99."
        return f"{int(number)} becomes {self.box(int(number))}."

    def solution(self):
        return ["try 0", "try 1", f"answer {self.box(self.asked)}"]
