# BAD: an answer that holds the letters of the right one anywhere wins; the alphabet does
from openspade_env import Game


class Riddle(Game):
    """Name the material: three properties tell it from the others in the table."""

    skill = "data retrieval"
    hint = "Cross out every row that fails one property."
    max_turns = 1

    def start(self, rng):
        names = "granite cork velvet copper amber slate linen rubber".split()
        self.table = {n: (rng.randint(1, 9), rng.randint(1, 9), rng.randint(1, 9)) for n in names}
        self.name = rng.choice([n for n in names if list(self.table.values()).count(self.table[n]) == 1])
        h, w, p = self.table[self.name]
        rows = "; ".join(f"{n} {a}/{b}/{c}" for n, (a, b, c) in self.table.items())
        return f"hardness/weight/price: {rows}. Which has hardness {h}, weight {w}, price {p}?"

    def act(self, action):
        return self.win() if set(self.name) <= set(action.lower()) else self.lose()

    def solution(self):
        return [self.name]
