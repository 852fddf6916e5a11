# GOOD: a ladder over listed words, any ladder is right
from openspade_env import Game


class Ladder(Game):
    """Change one word into another a letter at a time, over words of a list."""

    skill = "language"
    hint = "Work from both ends towards a common word."
    max_turns = 1
    words = "cold cord card ward warm word wood food fold bold bald ball bell belt bolt boat coat colt cola wall tall tale sale salt malt mall hall hill mill mile pile pine pint point mint mind bind bond band land lane lank sank sand".split()

    def start(self, rng):
        while True:
            self.first, self.last = rng.sample(self.words, 2)
            self.way = self._way()
            if self.way and len(self.way) >= 5:
                break
        return f"Words: {' '.join(self.words)}. From {self.first} to {self.last}: all words of the ladder with both ends, separated by blanks."

    def _near(self, a, b):
        return len(a) == len(b) and sum(x != y for x, y in zip(a, b)) == 1

    def _way(self):
        ways = [[self.first]]
        seen = {self.first}
        for way in ways:
            if way[-1] == self.last:
                return way
            for word in self.words:
                if word not in seen and self._near(way[-1], word):
                    seen.add(word)
                    ways.append([*way, word])
        return None

    def act(self, action):
        ladder = action.lower().replace(",", " ").split()
        if not ladder or ladder[0] != self.first or ladder[-1] != self.last:
            return self.lose("It must begin and end with the two words.")
        if any(word not in self.words for word in ladder):
            return self.lose("A word is not in the list.")
        right = all(self._near(a, b) for a, b in zip(ladder, ladder[1:]))
        return self.win("A sound ladder.") if right else self.lose("A step changes more or less than a letter.")

    def solution(self):
        return [" ".join(self.way)]
