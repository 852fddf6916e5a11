from openspade_env import Game, same_answer


class OffByOne(Game):
    """The solution counts from 0, the referee from 1."""

    skill = "pattern recognition"
    hint = "Look for the largest step."

    def start(self, rng):
        self.heights = rng.sample(range(100, 1000), 9)
        return f"Heights {self.heights}. At which place, counted from 1, stands the highest?"

    def act(self, action):
        return self.win() if same_answer(action, self.heights.index(max(self.heights)) + 1, kind="number") else self.lose()

    def solution(self):
        return [str(self.heights.index(max(self.heights)))]
