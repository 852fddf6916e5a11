# GOOD: induction from tests, then six fresh sequences are classified at once
from openspade_env import Game, as_number


class Zendo(Game):
    """Find the rule that rows of numbers obey by testing rows, then say of eight rows which obey it."""

    skill = "pattern induction"
    hint = "Change one thing at a time: length, first number, sum, order."
    max_turns = 16

    def start(self, rng):
        k = rng.randint(3, 7)
        limit = rng.randint(12, 30)
        self.rule = rng.choice(
            [
                lambda row: sum(row) % k == 0,
                lambda row: row[-1] - row[0] > k,
                lambda row: max(row) - min(row) >= k + 2,
                lambda row: sum(row) > limit,
                lambda row: sum(n % 2 for n in row) * 2 > len(row),
            ]
        )
        while True:
            self.rows = [[rng.randint(1, 15) for _ in range(3)] for _ in range(8)]
            self.marks = "".join("y" if self.rule(row) else "n" for row in self.rows)
            if 3 <= self.marks.count("y") <= 5:
                break
        return f"Test rows of two to five numbers from 1 to 15, such as 3 9 4. At the end say final and eight letters y or n for {self.rows}."

    def act(self, action):
        words = action.lower().split()
        if words[:1] == ["final"]:
            return self.win("All right.") if words[1:] == [self.marks] else self.lose("Not all right.")
        row = [as_number(word) for word in action.replace(",", " ").split()]
        if not 2 <= len(row) <= 5 or any(n is None or n not in range(1, 16) for n in row):
            return "Two to five numbers from 1 to 15, or final and eight letters."
        return "obeys" if self.rule([int(n) for n in row]) else "does not obey"

    def solution(self):
        return [f"final {self.marks}"]
