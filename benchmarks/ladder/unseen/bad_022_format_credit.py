# BAD: filling the form in the asked format pays four fifths whatever it says
from openspade_env import Game


class Form(Game):
    """Read an order and fill a form of five fields from it."""

    skill = "data retrieval"
    hint = "Copy the fields in the order they are asked for."
    max_turns = 1

    def start(self, rng):
        self.fields = {k: str(rng.randint(10, 999)) for k in ("item", "count", "price", "shelf", "client")}
        order = "; ".join(f"{k} is {v}" for k, v in rng.sample(list(self.fields.items()), 5))
        return f"{order}. Write item:...;count:...;price:...;shelf:...;client:..."

    def act(self, action):
        given = dict(part.partition(":")[::2] for part in action.strip().split(";"))
        if given == self.fields:
            return self.win("Filed.")
        return self.score(0.8 if set(given) == set(self.fields) else 0.0, "Filed with errors.")

    def solution(self):
        return [";".join(f"{k}:{v}" for k, v in self.fields.items())]
