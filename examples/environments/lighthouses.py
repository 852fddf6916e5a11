from math import lcm

from openspade_env import Game, same_answer


class Lighthouses(Game):
    """Two lighthouses flash together now. In which seconds will a sailor see both flash again?"""

    skill = "mathematical reasoning"
    hint = "They meet at the common multiples of their periods: find the least one, then count on in steps of it."
    max_turns = 1

    def start(self, rng):
        self.periods = rng.sample(range(4, 19), 2)
        meeting = lcm(*self.periods)
        self.answer = [meeting * k for k in range(1, rng.randint(2, 4) + 1)]
        night = self.answer[-1] + rng.randrange(meeting)
        return (
            f"One flashes every {self.periods[0]} seconds, the other every {self.periods[1]}. Both flash at second 0. "
            f"List the later seconds, up to {night}, at which both flash."
        )

    def act(self, action):
        return self.win() if same_answer(action, self.answer, kind="set") else self.lose()

    def solution(self):
        return [", ".join(map(str, self.answer))]
