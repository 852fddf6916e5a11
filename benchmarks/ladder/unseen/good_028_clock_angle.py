# GOOD: a tolerance that is stated, decimals and fractions both right
from openspade_env import Game, same_answer


class Clock(Game):
    """Give the smaller angle between the hands of a clock, to within half a degree."""

    skill = "mathematical reasoning"
    hint = "The hour hand moves half a degree a minute."
    max_turns = 1

    def start(self, rng):
        self.hour, self.minute = rng.randint(1, 12), rng.randint(1, 59)
        return f"The clock shows {self.hour}:{self.minute:02d}. Angle in degrees?"

    def act(self, action):
        gap = abs(30 * (self.hour % 12) - 5.5 * self.minute)
        return self.win() if same_answer(action, min(gap, 360 - gap), kind="number", tolerance=0.5) else self.lose()

    def solution(self):
        gap = abs(30 * (self.hour % 12) - 5.5 * self.minute)
        return [str(min(gap, 360 - gap))]
