from itertools import combinations

from openspade_env import Game


class LampWiring(Game):
    """An old house: each switch toggles several lamps, nobody knows which. Get every lamp to burn."""

    skill = "causal inference"
    hint = "Flip every switch once and note what changed. Then choose, on paper, the switches whose effects add up."
    max_turns = 18

    def start(self, rng):
        while True:
            self.wiring = [[rng.random() < 0.5 for _ in range(8)] for _ in range(8)]
            self.lamps = [rng.random() < 0.5 for _ in range(8)]
            if len(self.solution()) >= 3:
                return f"Lamps 1 to 8: {self.show()}. Say the letter of a switch, A to H."

    def act(self, action):
        switch = "ABCDEFGH".find(action.strip().upper())
        if len(action.strip()) != 1 or switch < 0:
            return "There are switches A to H. Say one letter."
        self.lamps = self.after([switch])
        return self.win("Light everywhere!") if all(self.lamps) else f"Click. {self.show()}."

    def solution(self):
        for count in range(9):
            for switches in combinations(range(8), count):
                if all(self.after(switches)):
                    return ["ABCDEFGH"[switch] for switch in switches]
        return []

    def after(self, switches):
        return [(lamp + sum(self.wiring[s][i] for s in switches)) % 2 for i, lamp in enumerate(self.lamps)]

    def show(self):
        return " ".join("on" if lamp else "off" for lamp in self.lamps)
