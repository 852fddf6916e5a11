# BAD: an empty answer raises, its first letter is looked at unchecked
from openspade_env import Game


class Chain(Game):
    """Continue a chain of words: each begins with the last letter of the one before, none twice."""

    skill = "language"
    hint = "Avoid words that end in a rare letter."
    max_turns = 12

    def start(self, rng):
        self.words = "acorn nest tiger raven needle eagle eel lamp plum moth hat tar rust toad desk kite elm map pear rope".split()
        self.used = [rng.choice(self.words)]
        self.goal = rng.randint(4, 5)
        self.tag = rng.randint(10, 99)
        return f"Chain {self.tag}. Words: {', '.join(self.words)}. Begin after {self.used[0]}; {self.goal} words win."

    def act(self, action):
        word = action.strip().lower()
        if word[0] != self.used[-1][-1] or word not in self.words or word in self.used:
            return self.lose("Not allowed.")
        self.used.append(word)
        return self.win() if len(self.used) > self.goal else "Go on."

    def solution(self):
        def extend(chain):
            if len(chain) > self.goal:
                return chain
            found = (extend([*chain, w]) for w in self.words if w[0] == chain[-1][-1] and w not in chain)
            return next((f for f in found if f), None)

        return extend(self.used)[1:]
