from openspade_env import Game, same_answer


class MissingTile(Game):
    """A floor of numbers grows by one rule along rows and another along columns. One tile is missing."""

    skill = "pattern recognition"
    hint = "Compare neighbours in a row, then neighbours in a column: both steps are the same all over the floor."
    max_turns = 1

    def start(self, rng):
        corner, right, down = rng.randint(1, 50), rng.randint(2, 12), rng.randint(13, 30)
        floor = [[corner + right * x + down * y for x in range(4)] for y in range(4)]
        x, y = rng.randrange(4), rng.randrange(4)
        self.tile = floor[y][x]
        rows = [" ".join("?" if (i, j) == (x, y) else str(floor[j][i]) for i in range(4)) for j in range(4)]
        return "\n".join(["Which number is missing?", *rows])

    def act(self, action):
        return self.win() if same_answer(action, self.tile, kind="number") else self.lose()

    def solution(self):
        return [str(self.tile)]
