from openspade_env import Game, as_number


class ClassTurns(Game):
    """Counts turns in the class: everybody's turns."""

    skill = "logical deduction"
    hint = "Halve what is left."
    turns = []

    def start(self, rng):
        self.secret = rng.randint(1, 500)
        return "I think of a number from 1 to 500."

    def act(self, action):
        self.turns.append(action)
        guess = as_number(action)
        if guess == self.secret:
            return self.win(f"Yes, after {len(self.turns)} turns.")
        return "Lower." if guess and guess > self.secret else "Higher."

    def solution(self):
        return [str(self.secret)]
