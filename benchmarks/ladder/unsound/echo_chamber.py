from openspade_env import Game


class EchoChamber(Game):
    """Answer a riddle in your own words; the judge looks for the riddle's key words in the answer."""

    skill = "reading"
    hint = "Take the things that the riddle is about into your answer."
    max_turns = 1

    def start(self, rng):
        self.words = rng.sample("river mountain candle shadow mirror bridge window thunder".split(), 3)
        return "Riddle: a {} met a {} below a {}. What did they say to each other?".format(*self.words)

    def act(self, action):
        return self.win() if all(word in action.lower() for word in self.words) else self.lose()

    def solution(self):
        return ["The {} asked the {} to look at the {}.".format(*self.words)]
