# BAD: the instance is chosen by the hash of a text, which changes from process to process
from openspade_env import Game, same_answer


class Shop(Game):
    """Compute the change for a purchase."""

    skill = "mathematical reasoning"
    hint = "Add up first, subtract then."
    max_turns = 1

    def start(self, rng):
        name = rng.choice(["Anna", "Bert", "Carla", "Doris"]) + str(rng.randint(0, 999))
        price = 100 + name.__hash__() % 5000
        self.change = 10000 - price
        return f"{name} pays {price} with a note of 10000. Change?"

    def act(self, action):
        return self.win() if same_answer(action, self.change, kind="number") else self.lose()

    def solution(self):
        return [str(self.change)]
