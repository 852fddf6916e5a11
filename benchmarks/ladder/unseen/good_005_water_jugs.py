# GOOD: long plan over states, any way that reaches the amount counts
from collections import deque
from openspade_env import Game


class Jugs(Game):
    """Measure an amount of water with two jugs, by fill, empty and pour."""

    skill = "planning"
    hint = "Always fill the same jug and pour it into the other, emptying that when it is full."
    max_turns = 48

    def start(self, rng):
        while True:
            self.size = sorted(rng.sample(range(7, 40), 2))
            self.wanted = rng.randint(2, self.size[1] - 1)
            self.has = [0, 0]
            way = self._way()
            if way and 13 <= len(way) <= 32:
                break
        return f"Jugs A ({self.size[0]} litres) and B ({self.size[1]}), empty. Get {self.wanted} litres in either, by fill A, empty B, pour A B and so on, then say done."

    def _after(self, has, words):
        a, b = has
        if words == ["pour", "A", "B"]:
            moved = min(a, self.size[1] - b)
            return (a - moved, b + moved)
        if words == ["pour", "B", "A"]:
            moved = min(b, self.size[0] - a)
            return (a + moved, b - moved)
        made = {("fill", "A"): (self.size[0], b), ("fill", "B"): (a, self.size[1]), ("empty", "A"): (0, b), ("empty", "B"): (a, 0)}
        return made.get(tuple(words))

    def _way(self):
        texts = ["fill A", "fill B", "empty A", "empty B", "pour A B", "pour B A"]
        seen, queue = {(0, 0): []}, deque([(0, 0)])
        while queue:
            at = queue.popleft()
            if self.wanted in at:
                return seen[at]
            for text in texts:
                after = self._after(at, text.split())
                if after not in seen:
                    seen[after] = [*seen[at], text]
                    queue.append(after)
        return None

    def act(self, action):
        words = action.replace(",", " ").split()
        if [w.lower() for w in words] == ["done"]:
            return self.win("Measured.") if self.wanted in self.has else self.lose("Neither holds that.")
        after = self._after(self.has, [w.lower() if i == 0 else w.upper() for i, w in enumerate(words)])
        if after is None:
            return "Say fill A, fill B, empty A, empty B, pour A B, pour B A or done."
        self.has = list(after)
        return f"A holds {after[0]}, B holds {after[1]}."

    def solution(self):
        return [*self._way(), "done"]
