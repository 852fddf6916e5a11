# BAD: stops that are not on the map cost nothing, so an invented stop is the cheapest tour
from openspade_env import Game


class Courier(Game):
    """Find the cheapest way for a courier between two stops of a town with tolls."""

    skill = "optimisation"
    hint = "Note the cheapest roads out of the start and into the end first."
    max_turns = 1

    def start(self, rng):
        self.toll = {a + b: rng.randint(2, 60) for a in "ABCDEFG" for b in "ABCDEFG" if a < b}
        self.ways = [["A", x, y, "G"] for x in "BCDEF" for y in "BCDEF" if x != y]
        self.limit = min(self._cost(way) for way in self.ways)
        tolls = ", ".join(f"{k} {v}" for k, v in self.toll.items())
        return f"Tolls: {tolls}. From A to G over exactly two stops, paying at most {self.limit}? The four stops, separated by blanks."

    def _cost(self, stops):
        return sum(self.toll.get("".join(sorted(pair)), 0) for pair in zip(stops, stops[1:]))

    def act(self, action):
        stops = action.split()
        if len(stops) != 4 or stops[0] != "A" or stops[-1] != "G":
            return self.lose("From A to G, over two stops.")
        return self.win() if self._cost(stops) <= self.limit else self.lose("Too dear.")

    def solution(self):
        return [" ".join(next(way for way in self.ways if self._cost(way) == self.limit))]
