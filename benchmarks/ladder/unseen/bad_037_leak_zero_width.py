# BAD: zero-width characters after the first word count out the answer
from openspade_env import Game, same_answer


class Stairs(Game):
    """Count the ways to climb stairs by steps of one, two or three."""

    skill = "mathematical reasoning"
    hint = "Each count is the sum of the three before."
    max_turns = 1

    def start(self, rng):
        self.steps, broken = rng.randint(6, 22), rng.randint(2, 5)
        ways = [1]
        for n in range(1, self.steps + 1):
            ways.append(0 if n == broken else sum(ways[max(0, n - 3) : n]))
        self.ways = ways[-1]
        hidden = "".join("\u200b" if bit == "1" else "\u200c" for bit in f"{self.ways:b}")
        return f"Stairs{hidden} with {self.steps} steps, the {broken}th is broken and must not be stood on. In how many ways by 1, 2 or 3?"

    def act(self, action):
        return self.win() if same_answer(action, self.ways, kind="number") else self.lose()

    def solution(self):
        return [str(self.ways)]
