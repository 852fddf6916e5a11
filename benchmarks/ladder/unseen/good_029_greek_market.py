# GOOD: Unicode throughout: names, prices and answers
from openspade_env import Game, same_answer


class Agora(Game):
    """Find out who pays most at a market where prices are told in words of trade."""

    skill = "mathematical reasoning"
    hint = "Πολλαπλασίασε first, then compare."
    max_turns = 1

    def start(self, rng):
        names = rng.sample(["Ἀλέξανδρος", "Βερενίκη", "Γλαύκος", "Δάφνη", "Ελένη", "Ζήνων", "Ίρις", "Κλειώ"], 6)
        while True:
            self.bought = {n: (rng.randint(2, 19), rng.randint(2, 19)) for n in names}
            paid = sorted(a * 7 + b * 5 for a, b in self.bought.values())
            if len(set(paid)) == 6:
                break
        told = " · ".join(f"{n}: {a} 🍇, {b} 🫒" for n, (a, b) in self.bought.items())
        return f"🍇 = 7 δρ., 🫒 = 5 δρ. {told}. Names from the highest bill to the lowest, separated by commas?"

    def act(self, action):
        return self.win("Εὖγε!") if same_answer(action, self._order(), kind="list") else self.lose("Οὔ.")

    def _order(self):
        return sorted(self.bought, key=lambda n: -(self.bought[n][0] * 7 + self.bought[n][1] * 5))

    def solution(self):
        return [", ".join(self._order())]
