from openspade_env import Game, same_answer

DISHES = "soup salad fish rice beans cheese cake melon bread olives eggs ham".split()


class BadDish(Game):
    """Guests ate different dishes, some fell ill. Which dish was bad?"""

    skill = "causal inference"
    hint = "The bad dish stands on the plate of everyone who fell ill, and on no plate of those who stayed well."
    max_turns = 1

    def start(self, rng):
        dishes = rng.sample(DISHES, 8)
        self.bad = rng.choice(dishes)
        while True:
            plates = [rng.sample(dishes, rng.randint(3, 5)) for _ in range(6)]
            if [dish for dish in dishes if all((dish in plate) == (self.bad in plate) for plate in plates)] == [
                self.bad
            ]:
                break
        told = [
            f"Guest {i} ate {', '.join(p)} and {'fell ill' if self.bad in p else 'stayed well'}."
            for i, p in enumerate(plates, 1)
        ]
        return f"{' '.join(told)} Which dish was bad?"

    def act(self, action):
        return self.win() if same_answer(action, self.bad, kind="text") else self.lose()

    def solution(self):
        return [self.bad]
