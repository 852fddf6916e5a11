from openspade_env import Game, same_answer


class FencePosts(Game):
    """A small number in a hint is no leak because some instance's answer is that number."""

    skill = "mathematical reasoning"
    hint = "Divide the length by the gap, then add 1: a fence has a post at both ends."

    def start(self, rng):
        self.gap, self.gaps = rng.randint(2, 9), rng.randint(1, 30)
        return f"A fence of {self.gap * self.gaps} metres, a post every {self.gap} metres. How many posts?"

    def act(self, action):
        return self.win() if same_answer(action, self.gaps + 1, kind="number") else self.lose()

    def solution(self):
        return [str(self.gaps + 1)]
