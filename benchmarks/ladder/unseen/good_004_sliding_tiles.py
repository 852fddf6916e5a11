# GOOD: sliding puzzle with a searched solution, each instance solvable by construction
from collections import deque
from openspade_env import Game


class Tiles(Game):
    """Slide the tiles of a 2 by 3 tray until they stand in order with the gap last."""

    skill = "planning"
    hint = "Bring the left column into order first."
    max_turns = 40

    def start(self, rng):
        self.goal = "12345_"
        self.tray = self.goal
        while len(self._way(self.tray)) < 8:
            self.tray = self.goal
            for _ in range(60):
                self.tray = rng.choice(list(self._moves(self.tray).values()))
        return f"{self._shown()}\nSay which number to slide into the gap _ until it reads 123 over 45_."

    def _shown(self):
        return f"{self.tray[:3]}\n{self.tray[3:]}"

    def _moves(self, tray):
        gap = tray.index("_")
        near = [n for n in (gap - 3, gap + 3) if 0 <= n < 6] + [n for n in (gap - 1, gap + 1) if 0 <= n < 6 and n // 3 == gap // 3]
        made = {}
        for n in near:
            cells = list(tray)
            cells[gap], cells[n] = cells[n], "_"
            made[tray[n]] = "".join(cells)
        return made

    def _way(self, tray):
        seen, queue = {tray: []}, deque([tray])
        while queue:
            at = queue.popleft()
            if at == self.goal:
                return seen[at]
            for tile, after in self._moves(at).items():
                if after not in seen:
                    seen[after] = [*seen[at], tile]
                    queue.append(after)
        return []

    def act(self, action):
        moves = self._moves(self.tray)
        if action.strip() not in moves:
            return f"That tile does not touch the gap.\n{self._shown()}"
        self.tray = moves[action.strip()]
        return self.win("In order.") if self.tray == self.goal else self._shown()

    def solution(self):
        return self._way(self.tray)
