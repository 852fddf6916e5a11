# BAD: the answer is always the largest number of the question
from openspade_env import Game, same_answer


class Shelf(Game):
    """Four numbered shelves carry weights; by the rules of the store one of them must be named."""

    skill = "logical deduction"
    hint = "Read the rules from the last to the first."
    max_turns = 1

    def start(self, rng):
        weights = [rng.randint(10, 999) for _ in range(4)]
        self.answer = max(weights)
        rules = rng.sample(["light ones are ignored", "ties go to the left", "the lower of two never counts", "odd ones are treated alike"], 3)
        return f"Loads {', '.join(map(str, weights))}. Rules: {'; '.join(rules)}. Which load is to be reported?"

    def act(self, action):
        return self.win() if same_answer(action, self.answer, kind="number") else self.lose()

    def solution(self):
        return [str(self.answer)]
