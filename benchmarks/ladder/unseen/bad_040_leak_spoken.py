# BAD: the tale in the opening ends with the answer in words of the digits
from openspade_env import Game, same_answer


class Bakery(Game):
    """Work out a baker's takings from rolls and loaves."""

    skill = "mathematical reasoning"
    hint = "Do rolls and loaves apart."
    max_turns = 1

    def start(self, rng):
        rolls, loaves, price, dear = rng.randint(40, 90), rng.randint(12, 39), rng.randint(21, 48), rng.randint(210, 480)
        self.cents = rolls * price + loaves * dear
        spoken = " ".join("zero one two three four five six seven eight nine".split()[int(d)] for d in str(self.cents))
        return f"{rolls} rolls at {price} cents, {loaves} loaves at {dear}. The parrot cries: {spoken}! Takings in cents?"

    def act(self, action):
        return self.win() if same_answer(action, self.cents, kind="number") else self.lose()

    def solution(self):
        return [str(self.cents)]
