from openspade_env import Game

WORDS = "cold cord card ward warm word worm corm form fort fore core care cart dart dare bare barn warn born corn".split()


class WordLadder(Game):
    """From one word to another, one letter at a time, through a list of allowed words; any way counts."""

    skill = "planning"
    hint = "Search from both ends: which letters must change, and which allowed word changes one of them?"
    max_turns = 12

    def start(self, rng):
        while True:
            self.word, self.goal = rng.sample(WORDS, 2)
            if 4 <= len(self.way()) <= 8:
                break
        return f"Allowed: {' '.join(WORDS)}. From {self.word} to {self.goal}, changing one letter a turn. Next word?"

    def near(self, a, b):
        return sum(x != y for x, y in zip(a, b)) == 1

    def way(self):
        queue, seen = [[self.word]], {self.word}
        for path in queue:
            if path[-1] == self.goal:
                return path[1:]
            for word in WORDS:
                if word not in seen and self.near(word, path[-1]):
                    seen.add(word)
                    queue.append([*path, word])
        return []

    def act(self, action):
        word = action.strip().lower()
        if word not in WORDS:
            return "That word is not allowed."
        if not self.near(word, self.word):
            return f"{word} is not one letter away from {self.word}."
        self.word = word
        return self.win("There!") if word == self.goal else f"You stand at {word}."

    def solution(self):
        return self.way()
