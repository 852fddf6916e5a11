# BAD: the licence plate writes the answer with a for 0, b for 1 and so on
from openspade_env import Game, same_answer


class Fuel(Game):
    """Compute how much fuel a lorry burns over a route."""

    skill = "mathematical reasoning"
    hint = "Hills count double."
    max_turns = 1

    def start(self, rng):
        flat, hill, burn = rng.randint(120, 900), rng.randint(20, 200), rng.randint(18, 45)
        self.fuel = (flat + 2 * hill) * burn
        plate = "".join("ABCDEFGHIJ"[int(d)] for d in str(self.fuel))
        return f"Lorry {plate}: {flat} km flat, {hill} km of hills that burn double, {burn} decilitres a km. Decilitres in all?"

    def act(self, action):
        return self.win() if same_answer(action, self.fuel, kind="number") else self.lose()

    def solution(self):
        return [str(self.fuel)]
