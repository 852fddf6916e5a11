from openspade_env import Game, same_answer


class SmallChange(Game):
    """A country with odd coins: pay a sum exactly, with as few coins as possible."""

    skill = "optimisation"
    hint = "Taking the largest coin first is a trap. Work out the fewest coins for every smaller sum, from 1 upwards."
    max_turns = 1

    def start(self, rng):
        self.coins = [1, *sorted(rng.sample(range(3, 15), 3))]
        self.sum = rng.randint(30, 120)
        return f"Coins of {', '.join(map(str, self.coins))}. How few of them pay exactly {self.sum}? Say the number."

    def act(self, action):
        return self.win("Exactly.") if same_answer(action, self.fewest(), kind="number") else self.lose("No.")

    def fewest(self):
        best = [0]
        for sum_ in range(1, self.sum + 1):
            best.append(1 + min(best[sum_ - coin] for coin in self.coins if coin <= sum_))
        return best[self.sum]

    def solution(self):
        return [str(self.fewest())]
