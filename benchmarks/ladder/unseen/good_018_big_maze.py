# GOOD: a maze of 21 by 21 drawn in text; any way to the exit is right
from openspade_env import Game


class BigMaze(Game):
    """Find the way through a drawn maze from S to E."""

    skill = "spatial reasoning"
    hint = "Fill dead ends until one way is left."
    max_turns = 1

    def start(self, rng):
        n = 21
        self.wall = [[True] * n for _ in range(n)]
        stack = [(1, 1)]
        self.wall[1][1] = False
        while stack:
            r, c = stack[-1]
            free = [(a, b) for a, b in ((-2, 0), (2, 0), (0, -2), (0, 2)) if 0 < r + a < n and 0 < c + b < n and self.wall[r + a][c + b]]
            if not free:
                stack.pop()
                continue
            a, b = rng.choice(free)
            self.wall[r + a // 2][c + b // 2] = self.wall[r + a][c + b] = False
            stack.append((r + a, c + b))
        rows = ["".join("#" if w else " " for w in row) for row in self.wall]
        rows[1] = rows[1][0] + "S" + rows[1][2:]
        rows[n - 2] = rows[n - 2][: n - 2] + "E#"
        return "\n".join(rows) + "\nThe way from S to E as letters N S W E, one a field."

    def act(self, action):
        r = c = 1
        for letter in action.strip().upper():
            if letter not in "NSWE":
                return self.lose("Only N, S, W and E.")
            r, c = r + (letter == "S") - (letter == "N"), c + (letter == "E") - (letter == "W")
            if self.wall[r][c]:
                return self.lose("You hit a wall.")
        return self.win("Out.") if (r, c) == (19, 19) else self.lose("Not at the exit.")

    def solution(self):
        seen = {(1, 1): ""}
        queue = [(1, 1)]
        for r, c in queue:
            for letter, a, b in (("N", -1, 0), ("S", 1, 0), ("W", 0, -1), ("E", 0, 1)):
                if not self.wall[r + a][c + b] and (r + a, c + b) not in seen:
                    seen[r + a, c + b] = seen[r, c] + letter
                    queue.append((r + a, c + b))
        return [seen[19, 19]]
