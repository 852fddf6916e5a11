from openspade_env import Game

STEP = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


class LanternPath(Game):
    """A large board of fields: only marked fields bear weight, and one sees the board once."""

    skill = "spatial reasoning"
    hint = "Note the marked fields row by row before the first step; turn where the row below has a mark under you."
    max_turns = 40

    def start(self, rng):
        self.size, self.path = 14, []
        x = rng.randrange(self.size)
        self.at, safe = (x, 0), {(x, 0)}
        for y in range(self.size - 1):
            run = rng.choice([-2, -1, 0, 1, 2])
            for _ in range(abs(run)):
                dx = 1 if run > 0 else -1
                if 0 <= x + dx < self.size:
                    x += dx
                    self.path.append("right" if dx > 0 else "left")
                    safe.add((x, y))
            self.path.append("down")
            safe.add((x, y + 1))
        self.safe = safe
        rows = ("".join("o" if (c, r) in safe else "." for c in range(self.size)) for r in range(self.size))
        board = "\n".join(rows)
        return f"o bears you, . does not:\n{board}\nYou stand in the top row, field {self.at[0] + 1}. Reach the bottom: up, down, left, right."

    def act(self, action):
        step = STEP.get(action.strip().lower())
        if step is None:
            return "up, down, left or right?"
        self.at = (self.at[0] + step[0], self.at[1] + step[1])
        if self.at not in self.safe:
            return self.lose("You fall.")
        return self.win("Across!") if self.at[1] == self.size - 1 else "It bears you."

    def solution(self):
        return list(self.path)
