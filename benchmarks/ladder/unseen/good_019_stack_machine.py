# GOOD: predicting a program's output, a list of numbers
from openspade_env import Game, same_answer


class Stack(Game):
    """Run a small stack machine in your head and give its stack at the end."""

    skill = "code execution"
    hint = "Write the stack down after each word."
    max_turns = 1

    def start(self, rng):
        self.words, depth = [], 0
        while len(self.words) < 14 or depth < 2:
            word = rng.choice(["push", "push", "add", "mul", "swap", "dup", "over", "neg"])
            need = {"push": 0, "dup": 1, "neg": 1}.get(word, 2)
            if depth < need or depth > 5 and word in ("push", "dup", "over"):
                continue
            self.words.append(str(rng.randint(-9, 9)) if word == "push" else word)
            depth += {"push": 1, "dup": 1, "over": 1, "add": -1, "mul": -1}.get(word, 0)
        return f"Program: {' '.join(self.words)}. A number is pushed. The stack at the end, bottom first, separated by commas?"

    def _run(self):
        s = []
        for word in self.words:
            if word == "add":
                s[-2:] = [s[-2] + s[-1]]
            elif word == "mul":
                s[-2:] = [s[-2] * s[-1]]
            elif word == "swap":
                s[-2:] = [s[-1], s[-2]]
            elif word == "dup":
                s.append(s[-1])
            elif word == "over":
                s.append(s[-2])
            elif word == "neg":
                s[-1] = -s[-1]
            else:
                s.append(int(word))
        return s

    def act(self, action):
        return self.win() if same_answer(action, self._run(), kind="list") else self.lose()

    def solution(self):
        return [", ".join(map(str, self._run()))]
