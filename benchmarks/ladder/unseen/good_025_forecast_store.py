# GOOD: a simulation over twelve days with a shown forecast and pay in proportion to profit
from openspade_env import Game, as_number


class Store(Game):
    """Order ice for twelve days against a forecast of sales; leftover melts by half each night."""

    skill = "simulation"
    hint = "Order each morning exactly what the day sells, less what is left."
    max_turns = 12

    def start(self, rng):
        self.sales = [rng.randint(5, 40) for _ in range(12)]
        self.day, self.stock, self.missed, self.melted = 0, 0, 0, 0
        return f"Sales to come: {self.sales}. Say how many blocks to order, day by day; unsold and missing blocks both cost."

    def act(self, action):
        order = as_number(action)
        order = int(order) if order is not None and order.denominator == 1 and 0 <= order <= 500 else 0
        self.stock += order
        sold = min(self.stock, self.sales[self.day])
        self.missed += self.sales[self.day] - sold
        self.stock -= sold
        self.melted += self.stock - self.stock // 2
        self.stock //= 2
        self.day += 1
        if self.day < 12:
            return f"Day {self.day + 1}: {self.stock} left, {self.missed} missed so far, {self.melted} melted."
        loss = (self.missed + self.melted) / sum(self.sales)
        return self.score(max(0.0, 1 - 2 * loss), "The season is over.")

    def solution(self):
        return [str(sale) for sale in self.sales]
