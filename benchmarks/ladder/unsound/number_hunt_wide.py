from openspade_env import Game, as_number


class NumberHuntWide(Game):
    """Estimate how many beans are in a jar from its height and width; near misses count."""

    skill = "estimation"
    hint = "Work out the volume and divide by the volume of a bean, then take a third off for the gaps."
    max_turns = 1

    def start(self, rng):
        self.height, self.width = rng.randint(18, 24), rng.randint(9, 11)
        self.beans = self.height * self.width * self.width * 7 // 10
        return f"A jar {self.height} cm high and {self.width} cm wide. A bean takes 0.75 ml. How many beans?"

    def act(self, action):
        given = as_number(action)
        return self.win() if given is not None and abs(given - self.beans) < 900 else self.lose()

    def solution(self):
        return [str(self.beans)]
