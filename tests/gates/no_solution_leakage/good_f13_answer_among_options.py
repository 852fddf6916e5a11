from openspade_env import Game, same_answer


class AmongOptions(Game):
    """The answer stands in the text, as one of eight options in any order: that is a question and no leak."""

    skill = "pattern recognition"
    hint = "Add up the digits of each."
    max_turns = 1

    def start(self, rng):
        nines = [9 * n for n in range(12, 111)]
        self.answer = rng.choice(nines)
        options = [self.answer, *rng.sample([n for n in range(100, 999) if n % 9], 7)]
        rng.shuffle(options)
        return f"One of these is a multiple of nine: {', '.join(map(str, options))}. Which one?"

    def act(self, action):
        return self.win() if same_answer(action, self.answer, kind="number") else self.lose()

    def solution(self):
        return [str(self.answer)]
