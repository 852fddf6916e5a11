# GOOD: a set of cells as the answer
from openspade_env import Game, same_answer


class Life(Game):
    """Foretell a colony of cells: alive with two or three neighbours, born with three."""

    skill = "simulation"
    hint = "Count neighbours for every cell of the frame and one beyond."
    max_turns = 1

    def start(self, rng):
        while True:
            self.cells = set(rng.sample([(r, c) for r in range(5) for c in range(5)], 9))
            self.after = self._next(self.cells)
            if len(self.after) >= 4:
                break
        listed = " ".join(f"{r}:{c}" for r, c in sorted(self.cells))
        return f"Alive (row:column, the plane is endless): {listed}. Which are alive one step later? Same form, separated by blanks."

    def _next(self, cells):
        around = [(r + a, c + b) for r, c in cells for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
        return {cell for cell in set(around) if around.count(cell) == 3 or (around.count(cell) == 2 and cell in cells)}

    def act(self, action):
        return self.win() if same_answer(action, [f"{r}:{c}" for r, c in self.after], kind="set") else self.lose()

    def solution(self):
        return [" ".join(f"{r}:{c}" for r, c in sorted(self.after))]
