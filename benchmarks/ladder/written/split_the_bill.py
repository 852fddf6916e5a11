from openspade_env import Game, as_number


class SplitTheBill(Game):
    """Who owes how much after a trip? Partial credit for each right line."""

    skill = "mathematical reasoning"
    hint = "Add all that was paid, divide by the number of people, and compare each one's payments with the share."
    max_turns = 1

    def start(self, rng):
        self.names = rng.sample(["Mia", "Noa", "Olu", "Pia", "Quy", "Rex"], 4)
        share = rng.randint(20, 80)
        self.owed = [rng.randint(-19, 19) for _ in range(3)]
        self.owed.append(-sum(self.owed))
        self.paid = [share - x for x in self.owed]
        paid = ", ".join(f"{n} {p}" for n, p in zip(self.names, self.paid))
        return (
            f"Paid on a trip: {paid}. All share alike. What does each still owe (minus: gets back)? "
            f"Four numbers in the order {', '.join(self.names)}."
        )

    def act(self, action):
        parts = action.strip().strip("[]()").replace(";", ",").split(",") if "," in action else action.split()
        given = [as_number(p) for p in parts]
        if len(given) != 4 or None in given:
            return self.lose("Four numbers are wanted.")
        right = sum(a == b for a, b in zip(given, self.owed))
        return self.win() if right == 4 else self.score(0.2 * right if right > 1 else 0.0, f"{right} of 4 are right.")

    def solution(self):
        return [", ".join(map(str, self.owed))]
