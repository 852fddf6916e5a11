# BAD: a negative quantity may be bought, which pays money out
from openspade_env import Game, as_number


class Stall(Game):
    """Buy and sell fruit over ten days at the prices shown and reach 200 coins."""

    skill = "planning"
    hint = "Buy with everything on the cheapest day and sell on the dearest after it."
    max_turns = 12

    def start(self, rng):
        self.prices = [rng.randint(9, 12) for _ in range(11)]
        self.low, self.high = rng.randint(0, 4), rng.randint(6, 10)
        self.prices[self.low], self.prices[self.high] = rng.randint(3, 6), rng.randint(15, 20)
        self.day, self.coins, self.fruit = 0, 100, 0
        return f"Prices to come: {self.prices}. You have 100 coins. Say buy N, sell N or wait; 200 coins win."

    def act(self, action):
        word, _, rest = action.strip().partition(" ")
        number = as_number(rest)
        if word not in ("buy", "sell", "wait") or (word != "wait" and (number is None or number.denominator > 1)):
            return "Say buy N, sell N or wait."
        price = self.prices[min(self.day, 10)]
        if word == "buy" and number * price <= self.coins:
            self.coins, self.fruit = self.coins - number * price, self.fruit + number
        if word == "sell" and number <= self.fruit:
            self.coins, self.fruit = self.coins + number * price, self.fruit - number
        self.day += 1
        if self.coins >= 200:
            return self.win("Rich.")
        return f"Day {self.day}: {self.coins} coins, {self.fruit} fruit."

    def solution(self):
        fruit = 100 // self.prices[self.low]
        return ["wait"] * self.low + [f"buy {fruit}"] + ["wait"] * (self.high - self.low - 1) + [f"sell {fruit}"]
