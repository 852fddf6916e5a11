from functools import cache

from openspade_env import Game, same_answer


@cache
def ways(steps):
    """A cache that all instances share, of results that are the same for all of them."""
    return 1 if steps < 2 else ways(steps - 1) + ways(steps - 2)


class Stairs(Game):
    """Climb stairs by one or two steps at a time: in how many ways?"""

    skill = "pattern recognition"
    hint = "Each number of ways is the sum of the two before it."
    max_turns = 1

    def start(self, rng):
        self.steps, self.left_out = rng.randint(5, 20), rng.randint(2, 30)
        return f"A stair of {self.steps} steps is climbed by one or two. How many ways are there, less {self.left_out}?"

    def act(self, action):
        return self.win() if same_answer(action, ways(self.steps) - self.left_out, kind="number") else self.lose()

    def solution(self):
        return [str(ways(self.steps) - self.left_out)]
