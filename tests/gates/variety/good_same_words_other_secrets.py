from openspade_env import Game, as_number


class Thermometer(Game):
    """Every instance begins with the same words; what differs is hidden."""

    skill = "logical deduction"
    hint = "Ask for the middle of what is left."
    max_turns = 12

    def start(self, rng):
        self.degrees = rng.randint(1, 99)
        return "I think of a temperature from 1 to 99 degrees. Guess."

    def act(self, action):
        number = as_number(action)
        if number is None or not 1 <= number <= 99:
            return "From 1 to 99, please."
        return self.win() if number == self.degrees else "Warmer." if number < self.degrees else "Colder."

    def solution(self):
        return [str(self.degrees)]
