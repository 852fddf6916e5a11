# BAD: only the number of items is compared with the right list
from openspade_env import Game


class Merge(Game):
    """Merge two sorted rows of numbers into one sorted row."""

    skill = "algorithmic execution"
    hint = "Take the smaller of the two heads each time."
    max_turns = 1

    def start(self, rng):
        self.left = sorted(rng.sample(range(100), 4))
        self.right = sorted(rng.sample(range(100), rng.randint(3, 6)))
        return f"Merge {self.left} and {self.right}; separate by commas."

    def act(self, action):
        given = [part for part in action.split(",") if part.strip()]
        return self.win() if len(given) == len(self.left) + len(self.right) else self.lose()

    def solution(self):
        return [", ".join(map(str, sorted(self.left + self.right)))]
