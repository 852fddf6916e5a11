from openspade_env import Game, as_number


class NumberHunt(Game):
    """Find a number from "higher" and "lower" with hardly a question to spare."""

    skill = "logical deduction"
    hint = "Always ask for the middle of what is left."
    max_turns = 9

    def start(self, rng):
        self.top = rng.randint(180, 250)
        self.secret = rng.randint(1, self.top)
        return f"A number from 1 to {self.top}. Nine guesses."

    def act(self, action):
        guess = as_number(action)
        if guess is None:
            return "Say a number."
        if guess == self.secret:
            return self.win("That is it.")
        return "Higher." if guess < self.secret else "Lower."

    def solution(self):
        return [str(self.secret)]
