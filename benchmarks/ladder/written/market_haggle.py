from openspade_env import Game, as_number


class MarketHaggle(Game):
    """Haggle with a trader: each offer brings a counter-offer by a rule that one can find out; buy below the limit."""

    skill = "negotiation"
    hint = "The trader always gives way by half of what lies between you, so small steps up are dear: start low and stay."
    max_turns = 10

    def start(self, rng):
        self.ask = rng.randint(120, 200)
        self.limit = self.ask * rng.randint(55, 70) // 100
        self.floor = self.limit * rng.randint(80, 92) // 100
        return (
            f"The trader asks {self.ask}. Pay {self.limit} at most. Name a price, or say 'take' to pay what is asked."
        )

    def act(self, action):
        if action.strip().lower() == "take":
            return self.win(f"Sold for {self.ask}.") if self.ask <= self.limit else self.lose("Too dear.")
        price = as_number(action)
        if price is None or price <= 0:
            return "Name a price, or 'take'."
        if price >= self.ask:
            return self.win("Sold.") if self.ask <= self.limit else self.lose("Too dear.")
        self.ask = max(self.floor, int(self.ask - max(1, (self.ask - price) // 4))) if price >= self.floor * 0.6 else self.ask
        return f"The trader asks {self.ask}."

    def solution(self):
        plan, ask, bid = [], self.ask, -(-self.floor * 6 // 10)
        while ask > self.limit and len(plan) < 9:
            plan.append(str(bid))
            ask = max(self.floor, int(ask - max(1, (ask - bid) // 4)))
        return [*plan, "take"]
