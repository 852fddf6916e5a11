# BAD: ties are broken by the order of a set of words, in the feedback only
from openspade_env import Game


class Vote(Game):
    """Guess which three of eight dishes a jury likes; it names one it misses."""

    skill = "logical deduction"
    hint = "Keep what was not complained of."
    max_turns = 14

    def start(self, rng):
        self.dishes = "soup stew pie tart roast salad curry pasta".split()
        self.liked = set(rng.sample(self.dishes, 3))
        self.tag = rng.randint(100, 999)
        return f"Jury {self.tag}. Dishes: {', '.join(self.dishes)}. Name three by commas."

    def act(self, action):
        given = {part.strip() for part in action.split(",")}
        if given == self.liked:
            return self.win("All three.")
        missed = max(self.liked - given, key=len, default="nothing")
        return f"We miss {missed}."

    def solution(self):
        return [", ".join(sorted(self.liked))]
