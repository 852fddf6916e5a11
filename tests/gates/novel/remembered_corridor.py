from openspade_env import Game


class Corridor(Game):
    """A corridor in the dark: walk to the lamp, whose side you only hear."""

    skill = "spatial reasoning"
    hint = "Halve the corridor: step far first, then shorter."
    max_turns = 12

    def start(self, rng):
        self.lamp, self.place = rng.randint(0, 200), 100
        return "You stand in the middle of a corridor of 200 steps. Say by how many steps you walk, such as 7 or -7."

    def act(self, action):
        try:
            steps = int(action)
        except ValueError:
            return "A whole number of steps, please."
        self.place = min(200, max(0, self.place + steps))
        if self.place == self.lamp:
            return self.win("The lamp.")
        return "It hums ahead of you." if self.lamp > self.place else "It hums behind you."

    def solution(self):
        return [str(self.lamp - 100)]
