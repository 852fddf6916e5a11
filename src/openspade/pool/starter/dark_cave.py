from openspade_env import Game

MOVES = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}


class DarkCave(Game):
    """A cave without light: only bumping into a wall tells that there is one."""

    skill = "spatial reasoning"
    hint = "Head for the exit along the longer axis first; when a wall stops you, sidestep once and head for it again."
    max_turns = 20

    def start(self, rng):
        while True:
            self.here, self.exit = ((rng.randrange(8), rng.randrange(8)) for _ in range(2))
            self.walls = {(rng.randrange(8), rng.randrange(8)) for _ in range(16)} - {self.here, self.exit}
            if 7 <= len(self.solution()) <= 13:
                return f"A dark cave of 8 by 8. You are at {self.here}, the exit is at {self.exit}. n, e, s or w?"

    def act(self, action):
        move = MOVES.get(action.strip().lower())
        if move is None:
            return "Say n, e, s or w."
        there = (self.here[0] + move[0], self.here[1] + move[1])
        if there in self.walls or not (0 <= there[0] < 8 and 0 <= there[1] < 8):
            return "A wall."
        self.here = there
        return self.win("Daylight!") if there == self.exit else "You grope your way."

    def solution(self):
        paths, seen = [(self.here, [])], {self.here}
        for place, path in paths:
            if place == self.exit:
                return path
            for name, (dx, dy) in MOVES.items():
                there = (place[0] + dx, place[1] + dy)
                if there not in seen | self.walls and 0 <= there[0] < 8 and 0 <= there[1] < 8:
                    seen.add(there)
                    paths.append((there, [*path, name]))
        return []
