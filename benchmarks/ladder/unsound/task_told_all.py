from openspade_env import Request, ToolTask, tool


class ToldAll(ToolTask):
    """Look up a customer and send an invoice; the request already says all there is to look up."""

    skill = "data retrieval"
    hint = "The customer's file has the address and the amount."
    max_turns = 10

    def start(self, rng):
        self.name = rng.choice(["Ivo", "Jan", "Kai", "Lea"])
        self.mail, self.due = f"{self.name.lower()}{rng.randint(10, 99)}@post.example", rng.randint(100, 999)
        self.state = {"sent": []}
        self.requests = [
            Request(
                f"Send {self.name} ({self.mail}) the invoice over {self.due}.",
                done=lambda s: s["sent"] == [[self.mail, self.due]],
            ),
            Request("Once more, please, the same.", done=lambda s: s["sent"] == [[self.mail, self.due]] * 2),
        ]

    @tool
    def customer(self, name: str) -> dict:
        """A customer's file."""
        return {"mail": self.mail, "due": self.due} if name == self.name else {}

    @tool
    def send_invoice(self, mail: str, amount: int) -> str:
        """Send an invoice."""
        self.state["sent"].append([mail, amount])
        return "sent"

    def solution(self):
        send = self.call("send_invoice", mail=self.mail, amount=self.due)
        return [[self.call("customer", name=self.name), send], [send]]
