# BAD: a wrong answer is answered with the right one and may be tried again
from openspade_env import Game, same_answer


class Dates(Game):
    """Count the days between two days of a year without leap day."""

    skill = "mathematical reasoning"
    hint = "Count from the start of the year for both."
    max_turns = 3

    def start(self, rng):
        lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        one, two = sorted(rng.sample(range(365), 2))
        self.days = two - one

        def written(day):
            month = 0
            while day >= lengths[month]:
                day, month = day - lengths[month], month + 1
            return f"{day + 1}/{month + 1}"

        return f"How many days from {written(one)} to {written(two)} (day/month)?"

    def act(self, action):
        if same_answer(action, self.days, kind="number"):
            return self.win()
        return f"No, it would have been {self.days}. Another try?"

    def solution(self):
        return [str(self.days)]
