from collections import deque

from openspade_env import Game


class Doubling(Game):
    """From 1 to a number by doubling and adding one: a search over thousands of states takes milliseconds."""

    skill = "optimisation"
    hint = "Go backwards from the goal: halve it when it is even, take one away when it is odd."
    max_turns = 20

    def start(self, rng):
        self.goal, self.value = rng.randint(300, 2000), 1
        self.best = len(self.path())
        return f"From 1 to {self.goal} in {self.best} moves. Say 'double' or 'plus', one a turn."

    def path(self):
        before, waiting = {1: (0, "")}, deque([1])
        while self.goal not in before:
            value = waiting.popleft()
            for move, after in (("double", 2 * value), ("plus", value + 1)):
                if after <= self.goal and after not in before:
                    before[after] = (value, move)
                    waiting.append(after)
        moves, value = [], self.goal
        while value != 1:
            value, move = before[value]
            moves.append(move)
        return moves[::-1]

    def act(self, action):
        move = action.strip().lower()
        if move not in ("double", "plus"):
            return "Say 'double' or 'plus'."
        self.value, self.best = (2 * self.value if move == "double" else self.value + 1), self.best - 1
        if self.value == self.goal:
            return self.win()
        return self.lose("Out of moves.") if self.best == 0 else f"{self.value}, {self.best} moves left."

    def solution(self):
        return self.path()
