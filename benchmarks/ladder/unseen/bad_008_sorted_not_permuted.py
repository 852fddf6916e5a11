# BAD: only whether the answer is in order is checked, not whether it holds the same numbers
from openspade_env import Game, as_number


class Order(Game):
    """Sort nine numbers from small to large."""

    skill = "algorithmic execution"
    hint = "Pick out the smallest again and again."
    max_turns = 1

    def start(self, rng):
        self.numbers = rng.sample(range(1000), 9)
        return f"Sort {', '.join(map(str, self.numbers))}."

    def act(self, action):
        given = [as_number(part) for part in action.split(",")]
        if None in given:
            return self.lose("Numbers only.")
        return self.win("Sorted.") if given == sorted(given) else self.lose("Not sorted.")

    def solution(self):
        return [", ".join(map(str, sorted(self.numbers)))]
