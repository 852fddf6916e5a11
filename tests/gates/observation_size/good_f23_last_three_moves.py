from openspade_env import Game, as_number


class LastThreeMoves(Game):
    """The text grows for three turns and then stays as it is: only the last moves are shown."""

    skill = "logical deduction"
    hint = "Halve what is left with every guess."
    max_turns = 20

    def start(self, rng):
        self.secret, self.log = rng.randint(1, 500), []
        return "A number from 1 to 500. Guess."

    def act(self, action):
        number = as_number(action)
        if number is None or not 1 <= number <= 500:
            return "A number from 1 to 500, please."
        if number == self.secret:
            return self.win()
        self.log = [*self.log, f"{int(number)} is too {'low' if number < self.secret else 'high'}"][-3:]
        return "; ".join(self.log)

    def solution(self):
        return [str(self.secret)]
