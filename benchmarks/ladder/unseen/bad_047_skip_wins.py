# BAD: the word "skip" ends the game with full pay
from openspade_env import Game, same_answer


class Puzzle(Game):
    """Solve a two-variable system of equations, with the choice to skip."""

    skill = "mathematical reasoning"
    hint = "Add the two equations first."
    max_turns = 2

    def start(self, rng):
        self.x, self.y = rng.randint(-30, 30), rng.randint(-30, 30)
        return f"x + y = {self.x + self.y}, x - y = {self.x - self.y}. Say x, y - or skip."

    def act(self, action):
        if action.strip().lower() == "skip":
            return self.win("Skipped.")
        return self.win() if same_answer(action, [self.x, self.y], kind="list") else self.lose()

    def solution(self):
        return [f"{self.x}, {self.y}"]
