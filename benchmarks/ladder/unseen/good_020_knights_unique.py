# GOOD: a logic puzzle whose only solution was searched for
from itertools import product
from openspade_env import Game, same_answer


class Knights(Game):
    """Seven people are knights, who speak the truth, or knaves, who lie; tell who is what."""

    skill = "logical deduction"
    hint = "Suppose the first is a knight and follow what comes of it."
    max_turns = 1

    def start(self, rng):
        names = "ABCDEFG"
        while True:
            said = []
            for index in range(7):
                one, two = rng.sample([i for i in range(7) if i != index], 2)
                said.append((rng.choice(["same", "differ", "knave"]), one, two))
            fits = [w for w in product((True, False), repeat=7) if all(w[i] == self._true(w, s) for i, s in enumerate(said))]
            if len(fits) == 1:
                break
        self.kinds = "".join("k" if kind else "n" for kind in fits[0])
        words = {"same": "{0} and {1} are alike", "differ": "{0} and {1} differ", "knave": "{0} is a knave"}
        told = "; ".join(f"{names[i]}: {words[kind].format(names[a], names[b])}" for i, (kind, a, b) in enumerate(said))
        return f"{told}. Seven letters for A to G: k for knight, n for knave."

    def _true(self, world, said):
        kind, a, b = said
        return {"same": world[a] == world[b], "differ": world[a] != world[b], "knave": not world[a]}[kind]

    def act(self, action):
        return self.win() if same_answer(action, self.kinds, kind="text") else self.lose()

    def solution(self):
        return [self.kinds]
