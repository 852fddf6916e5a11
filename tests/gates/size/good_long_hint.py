from openspade_env import Game, same_answer


class LongHint(Game):
    """A hint may be a paragraph, if it stays below the limit."""

    skill = "mathematical reasoning"
    hint = (
        "Two trains that drive towards each other close the gap between them by both of their speeds at once, so add "
        "the speeds first, and only then ask how often that sum goes into the distance. The quotient is the time in "
        "hours until they meet. What is asked for, however, is a place and not a time: multiply the time with the "
        "speed of the train that starts at the place from which the kilometres are counted, and leave the other "
        "train's speed alone, however tempting it may be to subtract it."
    )
    max_turns = 1

    def start(self, rng):
        self.speeds = [rng.randint(3, 9) * 10 for _ in range(2)]
        self.hours = rng.randint(2, 9)
        gap = sum(self.speeds) * self.hours
        return (
            f"Two towns are {gap} km apart. Trains leave both at noon, at {self.speeds[0]} and {self.speeds[1]} km/h. "
            "How far from the first town do they meet?"
        )

    def act(self, action):
        return self.win() if same_answer(action, self.speeds[0] * self.hours, kind="number") else self.lose()

    def solution(self):
        return [str(self.speeds[0] * self.hours)]
