# BAD: the first letters of the lines spell the answer
from openspade_env import Game, same_answer


class Poem(Game):
    """Work out which tree stands at the crossing from a walk described in lines."""

    skill = "spatial reasoning"
    hint = "Sketch the walk on squared paper."
    max_turns = 1

    def start(self, rng):
        trees = ["alder", "beech", "cedar", "elder", "larch", "maple", "rowan"]
        spots = rng.sample([(x, y) for x in range(-3, 4) for y in range(-3, 4) if (x, y) != (0, 0)], 7)
        self.tree, at = rng.choice(trees), spots[0]
        places = dict(zip([self.tree, *(t for t in trees if t != self.tree)], spots))
        verbs = {"a": "All along", "b": "Below", "c": "Crossing", "d": "Down by", "e": "Every day", "h": "Here", "l": "Look", "m": "Mind", "n": "Near", "o": "Over there", "p": "Past", "r": "Round", "w": "Where"}
        lines = [f"{verbs[letter]} the path runs on." for letter in self.tree]
        listed = "; ".join(f"{t} at {places[t]}" for t in trees)
        return "\n".join([*lines, f"(Trees: {listed}. Walk {at[0]} east and {at[1]} north from (0, 0). Which tree?)"])

    def act(self, action):
        return self.win() if same_answer(action, self.tree, kind="text") else self.lose()

    def solution(self):
        return [self.tree]
