# BAD: there are two instances in all, the seed chooses between them
from openspade_env import Game, same_answer


class Doors(Game):
    """Choose the sequence of doors through a castle by the warden's rules."""

    skill = "planning"
    hint = "Never the same colour twice."
    max_turns = 1

    def start(self, rng):
        self.way = rng.choice(["red blue red green", "blue green red blue"])
        first, last = self.way.split()[0], self.way.split()[-1]
        return f"Four doors, neighbours differ, first {first}, last {last}, red is used {self.way.count('red')} times. The order, if {first} stands for itself?"

    def act(self, action):
        return self.win() if same_answer(action, self.way, kind="text") else self.lose()

    def solution(self):
        return [self.way]
