# BAD: yes or no is all that is asked, once: half is won by saying yes
from openspade_env import Game, same_answer


class Balance(Game):
    """Say whether the left pan of a scale sinks."""

    skill = "mathematical reasoning"
    hint = "Add up each side and compare."
    max_turns = 1

    def start(self, rng):
        left, right = ([rng.randint(5, 60) for _ in range(4)] for _ in range(2))
        self.sinks = "yes" if sum(left) > sum(right) else "no"
        return f"Left {left}, right {right}. Does the left pan sink? yes or no"

    def act(self, action):
        return self.win() if same_answer(action, self.sinks, kind="text") else self.lose()

    def solution(self):
        return [self.sinks]
