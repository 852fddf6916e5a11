# BAD: the question does not say one of the numbers that are needed
from openspade_env import Game, same_answer


class Tank(Game):
    """Compute how long a tank takes to fill with an inflow and a leak."""

    skill = "mathematical reasoning"
    hint = "Subtract the leak from the inflow."
    max_turns = 1

    def start(self, rng):
        flow, self.minutes = rng.randint(30, 90), rng.randint(5, 60)
        leak = rng.randint(1, 25)
        return f"A tank of {(flow - leak) * self.minutes} litres is filled at {flow} litres a minute but leaks. Minutes to fill?"

    def act(self, action):
        return self.win() if same_answer(action, self.minutes, kind="number") else self.lose()

    def solution(self):
        return [str(self.minutes)]
