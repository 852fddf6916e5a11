from openspade_env import Game


class Passage(Game):
    """Another name for everything, and not another thing to do."""

    skill = "spatial reasoning"
    hint = "Halve the corridor: step far first, then shorter."
    max_turns = 12

    def start(self, rng):
        self.light, self.spot = rng.randint(0, 200), 100
        return "You stand in the middle of a corridor of 200 steps. Say by how many steps you walk, such as 7 or -7."

    def act(self, action):
        try:
            stride = int(action)
        except ValueError:
            return "A whole number of steps, please."
        self.spot = min(200, max(0, self.spot + stride))
        if self.spot == self.light:
            return self.win("The lamp.")
        return "It hums ahead of you." if self.light > self.spot else "It hums behind you."

    def solution(self):
        return [str(self.light - 100)]
