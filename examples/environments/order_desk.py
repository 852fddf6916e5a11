from openspade_env import Request, ToolError, ToolTask, tool

NAMES = ["Ann Bauer", "Bo Lind", "Cleo Marsh", "Dev Rao", "Eva Novak", "Finn Olsen"]
STREETS = ["Elm Street", "Mill Lane", "High Road", "Park Row", "Lake View"]


class OrderDesk(ToolTask):
    """The service desk of a web shop: addresses, refunds, and a wish no shop can grant."""

    skill = "state modification"
    hint = "Look up the customer before you touch an order; a refund needs the payment's reference, not the order's."

    def start(self, rng):
        names = rng.sample(NAMES, 3)
        numbers = rng.sample(range(1000, 10000), 3)
        self.state = {
            "orders": {
                str(number): {"customer": names.pop(), "address": rng.choice(STREETS), "payments": self.payments(rng)}
                for number in numbers
            },
            "refunded": [],
        }
        self.number = str(numbers[0])
        self.name = self.state["orders"][self.number]["customer"]
        self.address = f"{rng.randint(1, 99)} {rng.choice(STREETS)}"
        self.double = self.state["orders"][self.number]["payments"][1]["reference"]
        self.requests = [
            Request(
                f"This is {self.name}. Please send my order to {self.address} instead.",
                done=lambda s: s["orders"][self.number]["address"] == self.address,
            ),
            Request(
                "I see that I have paid for it twice. Please give me the later payment back.",
                done=lambda s: s["refunded"] == [self.double],
            ),
            Request("Thanks! And could you order me a taxi to the station?", impossible=True),
        ]

    def payments(self, rng):
        return [{"reference": f"P{rng.randrange(10**5):05}", "day": day} for day in ("Monday", "Tuesday")]

    @tool
    def find_orders(self, customer: str) -> list:
        """Numbers of a customer's orders.

        customer: full name
        """
        return [number for number, order in self.state["orders"].items() if order["customer"] == customer]

    @tool
    def show_order(self, number: str) -> dict:
        """Address and payments of an order."""
        return self.state["orders"][number]

    @tool
    def set_address(self, number: str, address: str) -> str:
        """Change where an order is sent."""
        self.state["orders"][number]["address"] = address
        return "changed"

    @tool
    def refund(self, reference: str) -> str:
        """Pay a payment back."""
        if not any(p["reference"] == reference for o in self.state["orders"].values() for p in o["payments"]):
            raise ToolError("there is no payment with this reference")
        self.state["refunded"].append(reference)
        return "refunded"

    def solution(self):
        return [
            [
                self.call("find_orders", customer=self.name),
                self.call("set_address", number=self.number, address=self.address),
            ],
            [self.call("show_order", number=self.number), self.call("refund", reference=self.double)],
            [self.decline("The shop has no taxis.")],
        ]
