from itertools import product

from openspade_env import Game


class LampWiring(Game):
    """An old house: each switch toggles several lamps, nobody knows which. Get every lamp to burn."""

    skill = "causal inference"
    hint = "Flip every switch once and write down what changed. Then choose, on paper, the switches whose effects add up."
    max_turns = 14

    def start(self, rng):
        while True:
            self.wiring = [[rng.random() < 0.5 for _ in range(5)] for _ in range(6)]
            self.lamps = [rng.random() < 0.5 for _ in range(5)]
            if len(self.solution()) >= 3:
                return f"Lamps 1 to 5: {self.show()}. Say the letter of a switch, A to F."

    def act(self, action):
        switch = "ABCDEF".find(action.strip().upper())
        if len(action.strip()) != 1 or switch < 0:
            return "There are switches A, B, C, D, E and F. Say one letter."
        self.lamps = [lamp != wired for lamp, wired in zip(self.lamps, self.wiring[switch])]
        return self.win("Light everywhere!") if all(self.lamps) else f"Click. {self.show()}."

    def solution(self):
        plans = []
        for flips in product([False, True], repeat=6):
            lamps = [(lamp + sum(f * w[i] for f, w in zip(flips, self.wiring))) % 2 for i, lamp in enumerate(self.lamps)]
            if all(lamps):
                plans.append([letter for letter, flip in zip("ABCDEF", flips) if flip])
        return min(plans, key=len, default=[])

    def show(self):
        return " ".join("on" if lamp else "off" for lamp in self.lamps)
