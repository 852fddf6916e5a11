# BAD: start and end of the path are checked, the steps between are not
from openspade_env import Game


class Metro(Game):
    """Find a connection in a metro map from one station to another."""

    skill = "planning"
    hint = "Search outwards from both ends."
    max_turns = 1

    def start(self, rng):
        names = list("ABCDEFGHIJ")
        rng.shuffle(names)
        self.path = names[:6]
        self.lines = {frozenset(pair) for pair in zip(names, names[1:])}
        listed = ", ".join("-".join(sorted(line)) for line in sorted(self.lines, key=sorted))
        return f"Lines: {listed}. From {self.path[0]} to {self.path[-1]}: stations in order, separated by blanks."

    def act(self, action):
        stations = action.split()
        if len(stations) < 2:
            return self.lose("Name at least two stations.")
        if stations[0] == self.path[0] and stations[-1] == self.path[-1]:
            return self.win("Good journey.")
        return self.lose("That does not get you there.")

    def solution(self):
        return [" ".join(self.path)]
