from openspade_env import Game, same_answer


class GearTrain(Game):
    """Wheels drive wheels. How often does the last one turn, and which way?"""

    skill = "causal inference"
    hint = "Only the first and the last wheel's teeth count for the speed; each wheel in between flips the direction."
    max_turns = 1

    def start(self, rng):
        first, last, turns = rng.randint(2, 9) * 4, rng.randint(2, 6) * 4, rng.randint(2, 12)
        between = [rng.randint(8, 40) for _ in range(rng.randint(1, 4))]
        turns *= last // 4
        self.answer = turns * first // last if len(between) % 2 else -turns * first // last
        teeth = ", ".join(map(str, [first, *between, last]))
        return (
            f"Wheels in a row with {teeth} teeth, each driving the next. The first turns {turns} times clockwise. "
            "How often does the last one turn? Write a minus when it turns anticlockwise."
        )

    def act(self, action):
        return self.win() if same_answer(action, self.answer, kind="number") else self.lose()

    def solution(self):
        return [str(self.answer)]
