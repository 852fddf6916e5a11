# GOOD: weighings with a balance, then a named coin and kind
from openspade_env import Game


class Coins(Game):
    """One of twelve coins is lighter or heavier; three weighings must find it and tell which."""

    skill = "logical deduction"
    hint = "Weigh four against four, then move coins between the pans in the second weighing."
    max_turns = 6

    def start(self, rng):
        self.coin, self.heavy, self.left = rng.choice("ABCDEFGHIJKL"), rng.random() < 0.5, 3
        return "Coins A to L, three weighings. Say weigh and two pans such as ABCD EFGH, or at the end a coin and heavy or light."

    def act(self, action):
        words = action.upper().split()
        if len(words) == 3 and words[0] == "WEIGH":
            pans = words[1] + words[2]
            if len(words[1]) != len(words[2]) or len(set(pans)) < len(pans) or not set(pans) <= set("ABCDEFGHIJKL"):
                return "Two pans of the same number of different coins."
            if not self.left:
                return "No weighings are left. Name the coin and heavy or light."
            self.left -= 1
            if self.coin not in pans:
                return "Level."
            return "The left pan sinks." if (self.coin in words[1]) == self.heavy else "The right pan sinks."
        if len(words) == 2 and words[1] in ("HEAVY", "LIGHT"):
            right = words == [self.coin, "HEAVY" if self.heavy else "LIGHT"]
            return self.win("That one.") if right else self.lose("No.")
        return "Say weigh and two pans, or a coin and heavy or light."

    def solution(self):
        return [f"{self.coin} {'heavy' if self.heavy else 'light'}"]
