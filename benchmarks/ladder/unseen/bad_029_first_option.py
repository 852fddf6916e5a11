# BAD: of the four options the right one is always the first, the order is never mixed
from openspade_env import Game, same_answer


class Quiz(Game):
    """Choose which of four sums of weights is right."""

    skill = "mathematical reasoning"
    hint = "Add the ones first; that rules two out."
    max_turns = 1

    def start(self, rng):
        parts = [rng.randint(100, 999) for _ in range(4)]
        options = [sum(parts)] + [sum(parts) + d for d in rng.sample([-110, -10, -1, 1, 9, 100], 3)]
        listed = " ".join(f"{letter}) {value}" for letter, value in zip("ABCD", options))
        return f"{' + '.join(map(str, parts))} = ? {listed}"

    def act(self, action):
        return self.win() if same_answer(action, "A", kind="text") else self.lose()

    def solution(self):
        return ["A"]
