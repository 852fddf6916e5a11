from openspade_env import Game, as_number


class HiddenUntilAsked(Game):
    """A weight is hidden; scales tell, and one answer counts."""

    skill = "logical deduction"
    hint = "Halve what is left with every weighing."
    max_turns = 9

    def start(self, rng):
        self.weight = rng.randint(1, 120)
        return "A parcel weighs 1 to 120 grams. Weigh it against a number; the right number opens it."

    def act(self, action):
        grams = as_number(action)
        if grams is None:
            return "A number of grams, please."
        if grams == self.weight:
            return self.win("Balanced.")
        return "The parcel is heavier." if grams < self.weight else "The parcel is lighter."

    def solution(self):
        return [str(self.weight)]
