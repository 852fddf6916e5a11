# BAD: about one instance in four cannot start: fewer than three towns are left to choose from
from openspade_env import Game, same_answer


class Tour(Game):
    """Find the order of three towns by their distances from the coast."""

    skill = "data retrieval"
    hint = "Sort by the second number."
    max_turns = 1

    def start(self, rng):
        towns = {name: rng.randint(0, 99) for name in ("Ahm", "Bruk", "Cell", "Dorn", "Ehl", "Furt")}
        far = [name for name, miles in towns.items() if miles > 45]
        self.picked = sorted(rng.sample(far, 3), key=lambda name: (towns[name], name))
        listed = ", ".join(f"{n} {m}" for n, m in towns.items())
        return f"Miles from the coast: {listed}. Nearest first: {', '.join(sorted(self.picked))}?"

    def act(self, action):
        return self.win() if same_answer(action, self.picked, kind="list") else self.lose()

    def solution(self):
        return [", ".join(self.picked)]
