from openspade_env import Game, same_answer


class Weights(Game):
    """A table in the class that nobody changes is shared without harm."""

    skill = "mathematical reasoning"
    hint = "Weigh the heavy pieces first."
    max_turns = 1
    weights = {"brick": 17, "plank": 23, "beam": 41, "tile": 9}

    def start(self, rng):
        self.load = {name: rng.randint(2, 9) for name in sorted(self.weights)}
        told = ", ".join(f"{count} {name}s of {self.weights[name]} kg" for name, count in self.load.items())
        return f"A cart carries {told}. How heavy is the load?"

    def total(self):
        return sum(self.weights[name] * count for name, count in self.load.items())

    def act(self, action):
        return self.win() if same_answer(action, self.total(), kind="number") else self.lose()

    def solution(self):
        return [str(self.total())]
