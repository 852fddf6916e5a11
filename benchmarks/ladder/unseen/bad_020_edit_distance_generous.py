# BAD: answers off by up to their own length in edits are taken, so a blank guess or one letter wins
from openspade_env import Game


class Plural(Game):
    """Apply three spelling rules of an invented language to a word."""

    skill = "instruction following"
    hint = "Apply the rules in the order given, one at a time."
    max_turns = 1

    def start(self, rng):
        self.word = "".join(rng.choice("bdgklmnprst") + rng.choice("aeiou") for _ in range(3))
        a, b = rng.sample("aeiou", 2)
        self.made = self.word.replace(a, b) + rng.choice("xz") + self.word[:2]
        return f"Word: {self.word}. Replace {a} by {b}, add {self.made[-3]}, then the first two letters of the word. Result?"

    def act(self, action):
        given, row = action.strip()[:60], list(range(len(self.made) + 1))
        for i, x in enumerate(given, 1):
            last, row[0] = row[0], i
            for j, y in enumerate(self.made, 1):
                last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
        return self.win() if row[-1] <= len(self.made) else self.lose()

    def solution(self):
        return [self.made]
