from itertools import product

from openspade_env import Game, same_answer


class Knights(Game):
    """Knights always tell the truth, knaves never. Who is a knight?"""

    skill = "logical deduction"
    hint = "Suppose the first is a knight and follow what that forces; if it contradicts itself, the first is a knave."
    max_turns = 1
    names = ("Ann", "Bo", "Cleo", "Dev", "Eva")

    def start(self, rng):
        while True:
            # Each says of two others whether they are of the same kind.
            self.claims = [(*rng.sample([j for j in range(5) if j != i], 2), rng.random() < 0.5) for i in range(5)]
            worlds = [world for world in product([True, False], repeat=5) if self.fits(world)]
            if len(worlds) == 1 and any(worlds[0]):
                break
        self.knights = [name for i, name in enumerate(self.names) if worlds[0][i]]
        kinds = {True: "the same kind", False: "different kinds"}
        said = [
            f"{self.names[i]}: {self.names[a]} and {self.names[b]} are of {kinds[same]}."
            for i, (a, b, same) in enumerate(self.claims)
        ]
        return " ".join(said) + " Name all knights."

    def fits(self, world):
        return all(world[i] == ((world[a] == world[b]) == same) for i, (a, b, same) in enumerate(self.claims))

    def act(self, action):
        return self.win() if same_answer(action, self.knights, kind="set") else self.lose()

    def solution(self):
        return [", ".join(self.knights)]
