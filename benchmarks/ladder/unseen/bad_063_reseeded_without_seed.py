# BAD: start() calls rng.seed() without a seed, which takes chance from the system
from openspade_env import Game, same_answer


class Fields(Game):
    """Add up the yields of six fields."""

    skill = "mathematical reasoning"
    hint = "Make tens."
    max_turns = 1

    def start(self, rng):
        rng.seed()
        yields = [rng.randint(10, 999) for _ in range(6)]
        self.total = sum(yields)
        return f"Yields: {yields}. Total?"

    def act(self, action):
        return self.win() if same_answer(action, self.total, kind="number") else self.lose()

    def solution(self):
        return [str(self.total)]
