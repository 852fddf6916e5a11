# BAD: the answer may be an expression, so the question repeated is a right answer
import re
from openspade_env import Game


class Sum(Game):
    """Compute a chain of additions and subtractions."""

    skill = "mathematical reasoning"
    hint = "Pair numbers that make round sums."
    max_turns = 1

    def start(self, rng):
        self.terms = [rng.choice([-1, 1]) * rng.randint(100, 999) for _ in range(6)]
        return f"Compute {self._written()} please"

    def _written(self):
        return " ".join(f"{'+' if t > 0 else '-'} {abs(t)}" for t in self.terms)

    def act(self, action):
        text = action.replace("Compute", "").replace("please", "").replace(" ", "")
        if not re.fullmatch(r"([+-]?\d{1,9})([+-]\d{1,9})*", text):
            return self.lose("Only sums.")
        value = sum(int(part) for part in re.findall(r"[+-]?\d+", text))
        return self.win() if value == sum(self.terms) else self.lose()

    def solution(self):
        return [str(sum(self.terms))]
