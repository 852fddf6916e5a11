# GOOD: a cipher with a key: reading it is the task itself
from openspade_env import Game, same_answer


class Vigenere(Game):
    """Read a word written in a cipher whose key is given: each letter was moved by the letter of the key."""

    skill = "algorithmic execution"
    hint = "Write the key below the cipher and count back, a as nothing, b as one."
    max_turns = 1

    def start(self, rng):
        words = "ribbon garden pepper mirror tunnel violin summer ladder copper window hammer silver".split()
        self.words = rng.sample(words, 2)
        self.key = "".join(rng.choice("bdfhjmprtw") for _ in range(4))
        plain = "".join(self.words)
        cipher = "".join(chr((ord(c) + ord(self.key[i % 4]) - 194) % 26 + 97) for i, c in enumerate(plain))
        return f"Key {self.key}, cipher {cipher}. The two words of six letters, separated by a blank?"

    def act(self, action):
        return self.win() if same_answer(action, " ".join(self.words), kind="text") else self.lose()

    def solution(self):
        return [" ".join(self.words)]
