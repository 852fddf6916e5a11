# BAD: the third wrong answer raises: the list of hints has two entries
from openspade_env import Game, same_answer


class Key(Game):
    """Find the key of a cipher that shifts letters, from a word and its cipher."""

    skill = "logical deduction"
    hint = "Compare the first letters."
    max_turns = 6

    def start(self, rng):
        self.key = rng.randint(3, 22)
        word = rng.choice(["market", "window", "castle", "bridge", "orchard"])
        self.notes, self.wrong = ["Not this one.", "Again not."], 0
        cipher = "".join(chr((ord(c) - 97 + self.key * (i + 1)) % 26 + 97) for i, c in enumerate(word))
        return f"{word} became {cipher}: the first letter moved by the key, the second by twice the key and so on. Key, 3 to 22?"

    def act(self, action):
        if same_answer(action, self.key, kind="number"):
            return self.win()
        note = self.notes[self.wrong]
        self.wrong += 1
        return note

    def solution(self):
        return [str(self.key)]
