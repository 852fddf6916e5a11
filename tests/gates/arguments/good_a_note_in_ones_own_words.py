from openspade_env import Request, ToolTask, tool


class OwnWords(ToolTask):
    """A card with flowers: to whom and which flowers is said, the words on it are free."""

    skill = "function calling"
    hint = "Look the street up first; write on the card what you like."
    max_turns = 8

    def start(self, rng):
        self.name = rng.choice(["Ann", "Ben", "Cleo", "Dan"])
        self.street = f"{rng.randint(1, 99)} {rng.choice(['Elm', 'Oak', 'Ash'])} Street"
        self.flower = rng.choice(["roses", "tulips", "asters"])
        self.state = {"sent": []}
        want = [self.street, self.flower]
        self.requests = [Request(f"Send {self.flower} to {self.name}, with a card.", done=lambda s: want in s["sent"])]

    @tool
    def street_of(self, name: str) -> str:
        """Where somebody lives."""
        return self.street if name == self.name else "unknown"

    @tool
    def send(self, street: str, flower: str, card: str) -> str:
        """Send flowers with a card."""
        self.state["sent"].append([street, flower] if card.strip() else [])
        return "sent"

    def solution(self):
        look = self.call("street_of", name=self.name)
        return [[look, self.call("send", street=self.street, flower=self.flower, card="With best wishes from all of us")]]
