from openspade_env import Game, same_answer

WORDS = "garden winter silver bridge forest candle market harbor summer window pencil castle".split()


class Cipher(Game):
    """A word is written in a shifted alphabet; another word shows how far."""

    skill = "pattern recognition"
    hint = "Count from a letter of the open word to the one below it: all letters move equally far."
    max_turns = 1

    def start(self, rng):
        self.shift = rng.randint(2, 24)
        known, self.word = rng.sample(WORDS, 2)
        return f"{known} is written {self.shifted(known, 1)}. Which word is written {self.shifted(self.word, 1)}?"

    def shifted(self, word, sign):
        return "".join(chr((ord(letter) - 97 + sign * self.shift) % 26 + 97) for letter in word)

    def act(self, action):
        return self.win() if same_answer(action, self.word, kind="text") else self.lose()

    def solution(self):
        return [self.word]
