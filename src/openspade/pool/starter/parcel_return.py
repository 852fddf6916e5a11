from openspade_env import Request, ToolError, ToolTask, tool


class ParcelReturn(ToolTask):
    """A parcel goes back: label, pick-up, refund, and each step needs the one before."""

    skill = "multi-step workflow"
    hint = "No pick-up without a label, no refund before the pick-up; carry each step's number to the next."
    max_turns = 14

    def start(self, rng):
        self.order, self.label = f"B{rng.randint(1000, 9999)}", f"L{rng.randint(10000, 99999)}"
        self.day = rng.choice(["Monday", "Tuesday", "Thursday", "Friday"])
        self.slip = f"U{rng.randint(100, 999)}"
        self.state = {"label": "", "pickup": {}, "refunded": []}
        self.requests = [
            Request(
                f"I want to send order {self.order} back. A label, please.", done=lambda s: s["label"] == self.label
            ),
            Request(
                "Have it fetched.",
                answers={"which day": f"on {self.day}"},
                done=lambda s: s["pickup"] == {self.label: self.day},
            ),
            Request("Now my money back, please.", done=lambda s: s["refunded"] == [self.slip]),
        ]

    @tool
    def make_label(self, order: str) -> str:
        """Make a return label for an order; returns the label's number."""
        if order != self.order:
            raise ToolError("there is no such order")
        self.state["label"] = self.label
        return self.label

    @tool
    def book_pickup(self, label: str, day: str) -> dict:
        """Have a labelled parcel fetched on a weekday; returns the number of the slip."""
        if label != self.state["label"]:
            raise ToolError("there is no such label")
        self.state["pickup"][label] = day
        return {"slip": self.slip}

    @tool
    def refund(self, slip: str) -> str:
        """Pay back what a slip proves to be on its way."""
        if slip != self.slip or not self.state["pickup"]:
            raise ToolError("there is no such slip")
        self.state["refunded"].append(slip)
        return "paid back"

    def solution(self):
        return [
            [self.call("make_label", order=self.order)],
            ["On which day?", self.call("book_pickup", label=self.label, day=self.day)],
            [self.call("refund", slip=self.slip)],
        ]
