from dataclasses import dataclass

from openspade_env import Game, same_answer


@dataclass
class Crate:
    """A helper class is no environment."""

    width: int
    depth: int
    height: int

    @property
    def volume(self):
        return self.width * self.depth * self.height


class Crates(Game):
    """Which of three crates holds most, and how much more than the least?"""

    skill = "spatial reasoning"
    hint = "Multiply all three edges of each crate before you compare any."

    def start(self, rng):
        self.crates = [Crate(rng.randint(2, 9), rng.randint(2, 9), rng.randint(2, 9)) for _ in range(3)]
        sizes = "; ".join(f"{c.width} x {c.depth} x {c.height}" for c in self.crates)
        return f"Crates of {sizes}. How much more does the largest hold than the smallest?"

    def difference(self):
        volumes = [crate.volume for crate in self.crates]
        return max(volumes) - min(volumes)

    def act(self, action):
        return self.win() if same_answer(action, self.difference(), kind="number") else self.lose()

    def solution(self):
        return [str(self.difference())]
