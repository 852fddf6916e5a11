# GOOD: the only arrangement that fits the numbers
from itertools import combinations
from openspade_env import Game, same_answer


class Numbers(Game):
    """Find three mines on a 4 by 4 field from the numbers of mines next to the free squares shown."""

    skill = "constraint satisfaction"
    hint = "Start at squares that say 0 and at the edges."
    max_turns = 1

    def start(self, rng):
        cells = [r + c for r in "abcd" for c in "1234"]
        self.mines = sorted(rng.sample(cells, 3))
        free = [c for c in cells if c not in self.mines]
        rng.shuffle(free)
        for many in range(4, 14):
            shown = {c: self._near(c, self.mines) for c in free[:many]}
            fits = [m for m in combinations(cells, 3) if not set(m) & set(shown) and all(self._near(c, m) == n for c, n in shown.items())]
            if len(fits) == 1:
                break
        return f"Rows a to d, columns 1 to 4, three mines. Seen: {', '.join(f'{c} {n}' for c, n in sorted(shown.items()))}. The mines, separated by blanks?"

    def _near(self, cell, mines):
        return sum(abs(ord(m[0]) - ord(cell[0])) <= 1 and abs(ord(m[1]) - ord(cell[1])) <= 1 for m in mines)

    def act(self, action):
        return self.win("Cleared.") if same_answer(action, self.mines, kind="set") else self.lose("Boom.")

    def solution(self):
        return [" ".join(self.mines)]
