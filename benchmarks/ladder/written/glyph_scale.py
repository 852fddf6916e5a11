from openspade_env import Game, same_answer

GLYPHS = "αβγδεζηθ"


class GlyphScale(Game):
    """Glyphs of unknown weights on scales: which one is the heaviest?"""

    skill = "logical deduction"
    hint = "Draw an arrow from the heavier glyph to the lighter one; nobody points at the heaviest."
    max_turns = 1

    def start(self, rng):
        self.order = rng.sample(GLYPHS, 6)
        pairs = [(self.order[i], self.order[i + 1]) for i in range(5)]
        a, b = sorted(rng.sample(range(6), 2))
        pairs.append((self.order[a], self.order[b]))
        rng.shuffle(pairs)
        facts = ["{} > {}".format(*p) if rng.random() < 0.5 else "{1} < {0}".format(*p) for p in pairs]
        return f"On the scales: {', '.join(facts)}. Write all six from the heaviest to the lightest."

    def act(self, action):
        return self.win() if same_answer(action.replace(">", " "), self.order, kind="list") else self.lose()

    def solution(self):
        return [" ".join(self.order)]
