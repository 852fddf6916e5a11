# BAD: letters are compared sorted, so the scrambled word of the question wins as it stands
from openspade_env import Game


class Scramble(Game):
    """A bird's name stands with its letters mixed; give the name."""

    skill = "language"
    hint = "Look for a common ending first, such as -er or -ow."
    max_turns = 1

    def start(self, rng):
        self.word = rng.choice("sparrow kestrel pelican bustard bittern dunlin lapwing swallow ostrich penguin vulture jackdaw".split())
        letters = list(self.word)
        while "".join(letters) == self.word:
            rng.shuffle(letters)
        self.ring = rng.randint(100, 999)
        return f"Ring {self.ring}. Mixed letters: {''.join(letters)}. Which bird?"

    def act(self, action):
        if sorted(action.strip().lower()) == sorted(self.word):
            return self.win("That is the bird.")
        return self.lose()

    def solution(self):
        return [self.word]
