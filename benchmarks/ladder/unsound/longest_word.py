from openspade_env import Game, same_answer

WORDS = "a quarrel of sparrows met the thunderstorm over an abandoned observatory while gatekeepers slept".split()


class LongestWord(Game):
    """Which word of a sentence was the witness thinking of? He always thinks of the last one."""

    skill = "pattern recognition"
    hint = "Witnesses tend to think of what they heard most recently."
    max_turns = 1

    def start(self, rng):
        self.said = rng.sample(WORDS, 7)
        return "He heard: " + " ".join(self.said) + ". Which word does he think of?"

    def act(self, action):
        return self.win() if same_answer(action, self.said[-1], kind="text") else self.lose()

    def solution(self):
        return [self.said[-1]]
