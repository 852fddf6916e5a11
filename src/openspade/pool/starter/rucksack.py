from itertools import combinations

from openspade_env import Game, same_answer


class Rucksack(Game):
    """Pack the most valuable load that the rucksack can bear."""

    skill = "optimisation"
    hint = "Value for each kilo is a good start, but the best load often fills the last kilos with something smaller."
    max_turns = 1

    def start(self, rng):
        self.things = [(rng.randint(2, 12), rng.randint(5, 60)) for _ in range(7)]
        self.limit = rng.randint(15, 28)
        listed = "; ".join(f"{weight} kg worth {worth}" for weight, worth in self.things)
        return f"Things: {listed}. The rucksack bears {self.limit} kg. What is the greatest worth you can carry?"

    def best(self):
        loads = [load for count in range(8) for load in combinations(self.things, count)]
        return max(sum(worth for _, worth in load) for load in loads if sum(weight for weight, _ in load) <= self.limit)

    def act(self, action):
        return self.win() if same_answer(action, self.best(), kind="number") else self.lose()

    def solution(self):
        return [str(self.best())]
