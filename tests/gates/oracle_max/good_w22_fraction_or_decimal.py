from openspade_env import Game, same_answer


class Halves(Game):
    """The solution says 1/2 where the program counts 0.5: same_answer compares their values."""

    skill = "mathematical reasoning"
    hint = "Double the number of questions, and count from there."
    max_turns = 1

    def start(self, rng):
        self.asked, self.right = rng.randint(13, 60), rng.randint(1, 12)
        return f"{self.right} of {self.asked} answers were right. Which share of the answers was wrong, as a fraction?"

    def act(self, action):
        return self.win() if same_answer(action, (self.asked - self.right) / self.asked, kind="number") else self.lose()

    def solution(self):
        return [f"{self.asked - self.right}/{self.asked}"]
