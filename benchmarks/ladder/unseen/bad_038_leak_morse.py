# BAD: a bird call in the opening is the answer in Morse
from openspade_env import Game, same_answer


class Signal(Game):
    """Find the letters that a lighthouse keeper left out of three words."""

    skill = "language"
    hint = "Say the words aloud."
    max_turns = 1

    def start(self, rng):
        words = rng.sample("lantern harbour compass anchor rudder captain mainsail".split(), 3)
        spots = [rng.randrange(len(w)) for w in words]
        self.letters = "".join(w[i] for w, i in zip(words, spots))
        shown = ", ".join(w[:i] + "_" + w[i + 1 :] for w, i in zip(words, spots))
        code = dict(zip("abcdefghijklmnopqrstuvwxyz", ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..".split()))
        return f"A gull calls {' '.join(code[c] for c in self.letters)}. Words: {shown}. The three missing letters, without blanks?"

    def act(self, action):
        return self.win() if same_answer(action, self.letters, kind="text") else self.lose()

    def solution(self):
        return [self.letters]
