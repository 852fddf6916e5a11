from openspade_env import Game, same_answer

CROPS = ["rye", "pea", "oat", "flax"]


class CropRotation(Game):
    """Plan four fields for four years: no crop twice on a field or in a year: what is left for the last one?"""

    skill = "constraint satisfaction"
    hint = "Fill what only one crop can fill first; the last year is what each field still lacks."
    max_turns = 1

    def start(self, rng):
        order = rng.sample(CROPS, 4)
        shift = [order[i:] + order[:i] for i in range(4)]
        rng.shuffle(shift)
        columns = rng.sample(range(4), 4)
        self.rows = [[row[c] for c in columns] for row in shift]
        shown = "; ".join(f"year {i + 1}: {' '.join(row)}" for i, row in enumerate(self.rows[:3]))
        return f"Fields 1 to 4, one crop a year, none twice on a field: {shown}. What grows in year 4, field by field?"

    def act(self, action):
        return self.win() if same_answer(action, self.rows[3], kind="list") else self.lose()

    def solution(self):
        return [", ".join(self.rows[3])]
