from openspade_env import Game, same_answer


class ToldWhenItIsOver(Game):
    """A lost game says what would have been right: the episode is over, and another seed asks for something else."""

    skill = "mathematical reasoning"
    hint = "Add the ones first and carry."
    max_turns = 1

    def start(self, rng):
        self.numbers = [rng.randint(100, 999) for _ in range(4)]
        return f"Sum of {self.numbers}?"

    def act(self, action):
        total = sum(self.numbers)
        return self.win() if same_answer(action, total, kind="number") else self.lose(f"No, it was {total}.")

    def solution(self):
        return [str(sum(self.numbers))]
