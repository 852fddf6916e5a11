from openspade_env import Game


class LongCorridor(Game):
    """A corridor in the dark: walk to the lamp, whose side you only hear."""

    skill = "spatial reasoning"
    hint = "Halve the corridor: step far first, then shorter."
    max_turns = 13

    def start(self, rng):
        self.lamp, self.place = rng.randint(0, 250), 125
        return "You stand in the middle of a corridor of 250 steps. Say by how many steps you walk, such as 9 or -9."

    def act(self, action):
        try:
            steps = int(action)
        except ValueError:
            return "A whole number of steps, please."
        self.place = min(250, max(0, self.place + steps))
        if self.place == self.lamp:
            return self.win("The lamp.")
        return "It hums ahead of you." if self.lamp > self.place else "It hums behind you."

    def solution(self):
        return [str(self.lamp - 125)]
