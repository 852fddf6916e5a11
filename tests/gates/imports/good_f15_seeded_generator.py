from random import Random

from openspade_env import Game, same_answer


class SeededGenerator(Game):
    """A second generator is no global chance when its seed comes from the rng: cards and coins draw apart."""

    skill = "mathematical reasoning"
    hint = "Count the pairs that make ten first."
    max_turns = 1

    def start(self, rng):
        cards = Random(rng.randrange(10**9))
        self.hand = [cards.randint(1, 9) for _ in range(8)]
        return f"Your hand: {self.hand}. What is the product of its largest card and its sum?"

    def answer(self):
        return max(self.hand) * sum(self.hand)

    def act(self, action):
        return self.win() if same_answer(action, self.answer(), kind="number") else self.lose()

    def solution(self):
        return [str(self.answer())]
