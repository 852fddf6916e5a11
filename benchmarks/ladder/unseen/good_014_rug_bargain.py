# GOOD: negotiation with a hidden temper: the dealer yields to raises of the right size and says what was wrong with others
from openspade_env import Game, as_number


class Rug(Game):
    """Bargain for a rug with a dealer who comes down only when the raise of your bid is to his taste."""

    skill = "negotiation"
    hint = "Halve the interval of possible raises by what the dealer says, then keep to the raise that pleases him."
    max_turns = 20

    def start(self, rng):
        self.rng = rng
        self.taste = rng.randint(4, 30)
        self.ask, self.bid = rng.randint(300, 500), 0
        self.floor = self.ask // 2
        self.purse = self.floor + rng.randint(15, 25)
        return f"The dealer asks {self.ask}. Your purse holds {self.purse}. Say a bid, or accept."

    def act(self, action):
        if action.strip().lower() == "accept":
            return self.win("Sold.") if self.ask <= self.purse else self.lose("You cannot pay that.")
        bid = as_number(action)
        if bid is None or bid.denominator > 1 or bid < 0:
            return "Say a whole number or accept."
        if bid > self.purse:
            return self.lose("You cannot pay that.")
        raised = int(bid) - self.bid
        if raised < self.taste:
            return f"'You insult me with so small a raise.' He still asks {self.ask}."
        self.bid = int(bid)
        if raised > self.taste + 1:
            return f"'So much at once? Then it must be worth more to you.' He still asks {self.ask}."
        self.ask -= (self.ask - self.floor) * self.rng.randint(55, 62) // 100
        return f"'Now we understand each other.' He asks {self.ask}."

    def solution(self):
        moves = []
        while self.ask > self.purse:
            moves.append(str(self.bid + self.taste))
            self.act(moves[-1])
        return [*moves, "accept"]
