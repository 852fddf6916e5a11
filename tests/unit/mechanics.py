"""Programs of known mechanics: three independently worded rotating mazes, and a dozen other games."""

MAZES = (
    r'''from openspade_env import Game
class RotatingMaze(Game):
    """A maze whose walls rotate a quarter turn after every move; reach the exit."""
    skill="spatial reasoning"; hint="Plan for the rotation."; max_turns=20
    def start(self, rng):
        self.size = 5
        self.walls = {(rng.randrange(5), rng.randrange(5)) for _ in range(6)} - {(0, 0), (4, 4)}
        self.position = (0, 0)
        return self.show()
    def show(self):
        rows = []
        for r in range(self.size):
            cells = ["#" if (r, c) in self.walls else "." for c in range(self.size)]
            rows.append("".join("@" if (r, c) == self.position else cell for c, cell in enumerate(cells)))
        return "\n".join(rows) + "\nMove: north, south, east, west."
    def act(self, action):
        moves = {"north": (-1, 0), "south": (1, 0), "east": (0, 1), "west": (0, -1)}
        if action not in moves:
            return "Unknown move.\n" + self.show()
        dr, dc = moves[action]
        target = (self.position[0] + dr, self.position[1] + dc)
        if target not in self.walls and 0 <= target[0] < self.size and 0 <= target[1] < self.size:
            self.position = target
        self.walls = {(c, self.size - 1 - r) for r, c in self.walls}
        if self.position == (4, 4):
            return self.win("Out!")
        return self.show()
    def solution(self):
        return ["south"] * 4 + ["east"] * 4
''',
    r'''from openspade_env import Game
class SpinningLabyrinth(Game):
    """Escape a labyrinth that spins clockwise each turn."""
    skill = "spatial reasoning"
    hint = "Count the quarter turns."
    max_turns = 30
    def start(self, rng):
        self.n = rng.choice([4, 5, 6])
        self.grid = [[rng.random() < 0.2 for _ in range(self.n)] for _ in range(self.n)]
        self.grid[0][0] = self.grid[self.n - 1][self.n - 1] = False
        self.r = self.c = 0
        return self._draw()
    def _draw(self):
        text = ""
        for i, row in enumerate(self.grid):
            for j, blocked in enumerate(row):
                text += "P" if (i, j) == (self.r, self.c) else ("#" if blocked else ".")
            text += "\n"
        return text + "Where to? (up/down/left/right)"
    def act(self, action):
        step = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}.get(action.strip().lower())
        if step is None:
            return "Say up, down, left or right."
        r, c = self.r + step[0], self.c + step[1]
        if 0 <= r < self.n and 0 <= c < self.n and not self.grid[r][c]:
            self.r, self.c = r, c
        self.grid = [list(row) for row in zip(*self.grid[::-1])]
        if (self.r, self.c) == (self.n - 1, self.n - 1):
            return self.win("Escaped.")
        return self._draw()
    def solution(self):
        return ["down", "right"] * (self.n - 1)
''',
    r'''from openspade_env import Game
class TurningDungeon(Game):
    """The dungeon turns by ninety degrees when you step; find the door."""
    skill = "spatial reasoning"
    hint = "The door never moves."
    max_turns = 25
    def start(self, rng):
        self.width = rng.randint(4, 7)
        self.blocks = set()
        while len(self.blocks) < self.width:
            cell = (rng.randrange(self.width), rng.randrange(self.width))
            if cell != (0, 0) and cell != (self.width - 1, self.width - 1):
                self.blocks.add(cell)
        self.x, self.y = 0, 0
        return self.picture()
    def picture(self):
        lines = []
        for y in range(self.width):
            line = ""
            for x in range(self.width):
                if (x, y) == (self.x, self.y):
                    line += "@"
                elif (x, y) in self.blocks:
                    line += "#"
                else:
                    line += "."
            lines.append(line)
        return "\n".join(lines) + "\nMove N, S, E or W."
    def act(self, action):
        directions = {"N": (0, -1), "S": (0, 1), "E": (1, 0), "W": (-1, 0)}
        key = action.strip().upper()[:1]
        if key not in directions:
            return "That is no direction."
        dx, dy = directions[key]
        nx, ny = self.x + dx, self.y + dy
        if (nx, ny) not in self.blocks and 0 <= nx < self.width and 0 <= ny < self.width:
            self.x, self.y = nx, ny
        self.blocks = {(self.width - 1 - y, x) for x, y in self.blocks}
        if self.x == self.width - 1 and self.y == self.width - 1:
            return self.win("You found the door.")
        return self.picture()
    def solution(self):
        return ["S", "E"] * (self.width - 1)
''',
)


def question(title: str, start: str, shown: str, answer: str) -> str:
    """A game that one right answer wins."""
    return f'''from openspade_env import Game
class Task(Game):
    """{title}"""
    skill = "mathematical reasoning"
    hint = "Think."
    max_turns = 1
    def start(self, rng):
        {start}
        return {shown}
    def act(self, action):
        if action.strip() == self.answer():
            return self.win("Right.")
        return self.lose("Wrong.")
    def answer(self):
        return {answer}
    def solution(self):
        return [self.answer()]
'''


NUMBERS = "self.x = [rng.randint(1, 9) for _ in range(5)]"
OTHERS = (
    question(
        "Sort numbers.",
        NUMBERS,
        'f"Sort ascending: {self.x}"',
        "str(sorted(self.x))",
    ),
    question(
        "Reverse a list.",
        NUMBERS,
        'f"Reverse: {self.x}"',
        "str(self.x[::-1])",
    ),
    question(
        "Sum of a list.",
        NUMBERS,
        'f"What is the sum of {self.x}?"',
        "str(sum(self.x))",
    ),
    question(
        "Largest minus smallest.",
        NUMBERS,
        'f"Largest minus smallest of {self.x}?"',
        "str(max(self.x) - min(self.x))",
    ),
    question(
        "Count evens.",
        NUMBERS,
        'f"How many even numbers are in {self.x}?"',
        "str(sum(n % 2 == 0 for n in self.x))",
    ),
    question(
        "Modular power.",
        "self.a, self.b, self.m = rng.randint(2, 9), rng.randint(2, 9), rng.randint(5, 20)",
        'f"{self.a}^{self.b} mod {self.m}?"',
        "str(pow(self.a, self.b, self.m))",
    ),
    question(
        "Truth table.",
        "self.p, self.q = rng.random() < .5, rng.random() < .5",
        'f"p is {self.p}, q is {self.q}. Is p and not q true?"',
        "str(self.p and not self.q)",
    ),
    question(
        "Next term.",
        "self.s, self.d = rng.randint(1, 9), rng.randint(1, 9)",
        'f"Continue: {self.s}, {self.s+self.d}, {self.s+2*self.d}"',
        "str(self.s + 3 * self.d)",
    ),
    '''from openspade_env import Game
class Guess(Game):
    """Find the hidden number by bisection."""
    skill="logical deduction"; hint="Halve."; max_turns=8
    def start(self, rng):
        self.n = rng.randint(1, 100)
        return "I hide a number from 1 to 100. Guess it."
    def act(self, action):
        try:
            g = int(action)
        except ValueError:
            return "A number, please."
        if g == self.n:
            return self.win("Yes.")
        return "Higher." if g < self.n else "Lower."
    def solution(self):
        return [str(self.n)]
''',
    '''from openspade_env import Game
class Nim(Game):
    """Take the last stone."""
    skill="logical deduction"; hint="Mod 4."; max_turns=20
    def start(self, rng):
        self.heap = rng.randint(9, 25)
        if self.heap % 4 == 0: self.heap += 1
        return f"{self.heap} stones. Take 1 to 3."
    def act(self, action):
        if action not in ("1", "2", "3"):
            return "Take 1 to 3."
        self.heap -= int(action)
        if self.heap <= 0:
            return self.win("You took the last one.")
        take = self.heap % 4 or 1
        self.heap -= take
        if self.heap <= 0:
            return self.lose("I took the last one.")
        return f"I take {take}. {self.heap} left."
    def solution(self):
        moves, heap = [], self.heap
        while heap > 0:
            take = heap % 4 or 1
            moves.append(str(take)); heap -= 4
        return moves
''',
)
