from openspade_env import Game, same_answer


class OtherBase(Game):
    """People with fewer fingers count in another base. Read their number."""

    skill = "mathematical reasoning"
    hint = "From the left: take what you have times the base, and add the next digit."
    max_turns = 1

    def start(self, rng):
        base = rng.randint(3, 8)
        digits = [rng.randrange(1, base), *(rng.randrange(base) for _ in range(3))]
        self.value = 0
        for digit in digits:
            self.value = self.value * base + digit
        return f"Islanders count in base {base}. They write {''.join(map(str, digits))}. What is that in base ten?"

    def act(self, action):
        return self.win() if same_answer(action, self.value, kind="number") else self.lose()

    def solution(self):
        return [str(self.value)]
