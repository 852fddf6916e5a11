# BAD: borders are checked only between countries that were coloured, so an empty map wins
from openspade_env import Game


class Colours(Game):
    """Colour nine countries with three colours so that neighbours differ."""

    skill = "constraint satisfaction"
    hint = "Colour the country with most neighbours first."
    max_turns = 1

    def start(self, rng):
        self.colour = {c: rng.choice(["red", "green", "blue"]) for c in "ABCDEFGHI"}
        pairs = [(a, b) for a in "ABCDEFGHI" for b in "ABCDEFGHI" if a < b and self.colour[a] != self.colour[b]]
        self.borders = rng.sample(pairs, min(12, len(pairs)))
        return f"Borders: {', '.join(a + b for a, b in self.borders)}. Answer as A=red, B=green, and so on; red, green or blue."

    def act(self, action):
        given = {}
        for part in action.split(","):
            country, _, colour = part.strip().partition("=")
            given[country] = colour
        clash = any(a in given and b in given and given[a] == given[b] for a, b in self.borders)
        return self.lose("Two neighbours share a colour.") if clash else self.win("A proper map.")

    def solution(self):
        return [", ".join(f"{c}={k}" for c, k in self.colour.items())]
