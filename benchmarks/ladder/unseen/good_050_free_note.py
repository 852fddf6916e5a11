# GOOD: an argument in the player's own words, of which only that it is there is asked
from openspade_env import Request, ToolError, ToolTask, tool


class Gifts(ToolTask):
    """A gift shop: send the gift that a customer's list names to the right person, with a card in your own words."""

    skill = "instruction following"
    hint = "Look up what the person wishes for; the card may say anything kind."
    max_turns = 8

    def start(self, rng):
        self.people = rng.sample(["Aunt Fay", "Uncle Ron", "Granny Lu", "Cousin Max"], 3)
        self.wishes = dict(zip(self.people, rng.sample(["teapot", "kite", "scarf", "atlas", "ukulele"], 3)))
        self.codes = {w: f"G{n}" for w, n in zip(self.wishes.values(), rng.sample(range(100, 999), 3))}
        self.person = rng.choice(self.people)
        self.state = {"sent": []}
        wanted = (self.person, self.codes[self.wishes[self.person]])
        self.wanted = wanted
        self.requests = [Request(f"Send {self.person} the gift from the list, and write a few kind words of your own.", done=lambda s: [(p, c) for p, c, _ in s["sent"]] == [wanted])]

    @tool
    def wish_of(self, person: str) -> str:
        """What a person wishes for."""
        return self.wishes[person]

    @tool
    def code_of(self, gift: str) -> str:
        """The shop's code of a gift."""
        return self.codes[gift]

    @tool
    def send(self, person: str, code: str, card: str) -> str:
        """Send a gift with a card.

        card: any kind words
        """
        if not card.strip():
            raise ToolError("the card is empty")
        self.state["sent"].append((person, code, card))
        return "sent"

    def solution(self):
        return [[self.call("wish_of", person=self.person), self.call("code_of", gift=self.wishes[self.person]), self.call("send", person=self.person, code=self.wanted[1], card="With love from all of us.")]]
