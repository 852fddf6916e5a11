# BAD: the example that shows the format is the answer itself
from openspade_env import Game, same_answer


class Grid(Game):
    """Find the square at which two patrols meet."""

    skill = "spatial reasoning"
    hint = "Move both patrols step by step."
    max_turns = 1

    def start(self, rng):
        self.meet = f"{rng.choice('ABCDEFGHJK')}{rng.randint(10, 40)}"
        a, b = rng.randint(2, 9), rng.randint(2, 9)
        row = int(self.meet[1:])
        return (
            f"One patrol starts at {self.meet[0]}{row - a} and goes up a row each hour, the other at {self.meet[0]}{row + b} and goes down; "
            f"the first walks {a} hours, the second {b}. Where do they meet? Answer like {self.meet}."
        )

    def act(self, action):
        return self.win() if same_answer(action, self.meet, kind="text") else self.lose()

    def solution(self):
        return [self.meet]
