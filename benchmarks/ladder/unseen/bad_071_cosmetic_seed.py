# BAD: only the names change with the seed, the answer is always 36
from openspade_env import Game, same_answer


class Fair(Game):
    """Compute the price of a family's tickets for a fair."""

    skill = "mathematical reasoning"
    hint = "Children pay half."
    max_turns = 1

    def start(self, rng):
        a, b, c = rng.sample(["Ann", "Ben", "Cem", "Dora", "Eli", "Flo", "Gil", "Hana", "Ida", "Jan"], 3)
        return f"A ticket costs 12, children pay half. {a} and {b} come with two children, {c} pays for all. How much?"

    def act(self, action):
        return self.win() if same_answer(action, 36, kind="number") else self.lose()

    def solution(self):
        return ["36"]
