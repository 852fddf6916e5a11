# BAD: step() is overridden and pays for each turn that is survived
from openspade_env import Game


class Desert(Game):
    """Cross a desert of dunes to a well, with water for a few days."""

    skill = "planning"
    hint = "Go straight towards the well."
    max_turns = 12

    def start(self, rng):
        self.x, self.y = rng.randint(1, 5), rng.randint(1, 5)
        return f"The well lies {self.x} east and {self.y} north. east or north each day, twelve days."

    def act(self, action):
        way = action.strip().lower()
        self.x -= way == "east"
        self.y -= way == "north"
        return self.win("Water!") if self.x == self.y == 0 else "Sand."

    def step(self, action):
        observation, reward, over, cut, info = super().step(action)
        return observation, max(reward, 0.9 * (not over)), over, cut, info

    def solution(self):
        return ["east"] * self.x + ["north"] * self.y
