from openspade_env import Game


class CrashesOnWords(Game):
    """Takes every action for a number: the agent's nonsense becomes the environment's crash."""

    skill = "mathematical reasoning"
    hint = "Add the tens first."

    def start(self, rng):
        self.numbers = rng.sample(range(100, 1000), 2)
        return f"{self.numbers[0]} + {self.numbers[1]}?"

    def act(self, action):
        return self.win() if int(action) == sum(self.numbers) else self.lose()

    def solution(self):
        return [str(sum(self.numbers))]
