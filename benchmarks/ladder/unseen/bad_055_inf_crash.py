# BAD: float() reads inf, int() of it raises
from openspade_env import Game


class Toll(Game):
    """Guess the number of cars that crossed a bridge, told too many or too few."""

    skill = "logical deduction"
    hint = "Halve what is left."
    max_turns = 14

    def start(self, rng):
        self.cars = rng.randint(1, 4000)
        return "1 to 4000 cars. How many?"

    def act(self, action):
        try:
            cars = int(float(action))
        except ValueError:
            return "A number, please."
        if cars == self.cars:
            return self.win("Right.")
        return "Too few." if cars < self.cars else "Too many."

    def solution(self):
        return [str(self.cars)]
