from openspade_env import Game, same_answer


class HeadsAndLegs(Game):
    """Beetles and spiders in one box: so many heads, so many legs. How many of each?"""

    skill = "mathematical reasoning"
    hint = "Pretend that all are beetles; every two legs that are left over turn one beetle into a spider."
    max_turns = 1

    def start(self, rng):
        self.beetles, self.spiders = rng.randint(3, 40), rng.randint(3, 40)
        legs = 6 * self.beetles + 8 * self.spiders
        return (
            f"Beetles have 6 legs, spiders 8. A box holds {self.beetles + self.spiders} heads and {legs} legs. "
            "How many beetles and how many spiders? Two numbers, in this order."
        )

    def act(self, action):
        return self.win() if same_answer(action, [self.beetles, self.spiders], kind="list") else self.lose()

    def solution(self):
        return [f"{self.beetles}, {self.spiders}"]
