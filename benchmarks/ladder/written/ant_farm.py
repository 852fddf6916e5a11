from openspade_env import Game, as_number


class AntFarm(Game):
    """A colony grows day by day by two rates and a frost that comes once; predict its size."""

    skill = "simulation"
    hint = "Go day by day and round down each time; the frost comes before the growth of its day."
    max_turns = 1

    def start(self, rng):
        self.ants, self.rate = rng.randint(100, 900), rng.randint(5, 25)
        self.days, self.frost = rng.randint(4, 6), rng.randint(2, 3)
        return (
            f"{self.ants} ants grow by {self.rate} % a day, rounded down. On day {self.frost} a frost halves them first, "
            f"rounded down. How many are there after day {self.days}?"
        )

    def size(self):
        ants = self.ants
        for day in range(1, self.days + 1):
            ants = ants // 2 if day == self.frost else ants
            ants += ants * self.rate // 100
        return ants

    def act(self, action):
        return self.win() if as_number(action) == self.size() else self.lose(f"There are {self.size()}.")

    def solution(self):
        return [str(self.size())]
