from openspade_env import Game, as_number


class CoinTurner(Game):
    """Coins in a ring: turning one turns its two neighbours too. Bring all to heads."""

    skill = "planning"
    hint = "Which coins are turned matters, not in which order; try each choice for coin 1, the rest follows."
    max_turns = 14

    def start(self, rng):
        self.n = rng.choice([7, 8])
        self.coins = [1] * self.n
        while all(self.coins):
            for place in rng.sample(range(self.n), rng.randint(3, 5)):
                self.turn(place)
        return f"{self.show()} Turn coin 1 to {self.n}; its neighbours turn too. All heads (H) wins."

    def turn(self, place):
        for offset in (-1, 0, 1):
            self.coins[(place + offset) % self.n] ^= 1

    def show(self):
        return "Ring: " + "".join("H" if c else "T" for c in self.coins) + "."

    def act(self, action):
        place = as_number(action)
        if place is None or place.denominator > 1 or not 1 <= place <= self.n:
            return f"Say 1 to {self.n}. {self.show()}"
        self.turn(int(place) - 1)
        return self.win("All heads.") if all(self.coins) else self.show()

    def solution(self):
        best = None
        for code in range(2**self.n):
            coins = list(self.coins)
            chosen = [i for i in range(self.n) if code >> i & 1]
            for place in chosen:
                for offset in (-1, 0, 1):
                    coins[(place + offset) % self.n] ^= 1
            if all(coins) and (best is None or len(chosen) < len(best)):
                best = chosen
        return [str(i + 1) for i in best]
