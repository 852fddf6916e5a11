from openspade_env import Request, ToolTask, tool


class InvoiceAbroad(ToolTask):
    """Price list, exchange office and invoices are three services; an invoice wants foreign cents."""

    skill = "API orchestration"
    hint = "Multiply price and pieces before you convert, and send the exchange office's answer on as it is."
    max_turns = 12

    def start(self, rng):
        items = rng.sample(["lamp", "chair", "kettle", "clock", "carpet", "mirror"], 3)
        self.prices = {item: rng.randint(300, 9000) for item in items}
        self.rates = {"crowns": rng.randint(5, 15), "francs": rng.randint(2, 4)}
        self.item, self.count, self.money = items[0], rng.randint(2, 9), rng.choice(["crowns", "francs"])
        self.customer = f"C{rng.randint(100, 999)}"
        self.state = {"invoices": [], "sent": []}
        self.requests = [
            Request(
                f"Write customer {self.customer} an invoice for {self.count} pieces of {self.item}, in {self.money}.",
                done=lambda s: s["invoices"] == [[self.customer, self.total()]],
            ),
            Request("Good. Send it off.", done=lambda s: s["sent"] == [self.customer]),
        ]

    def total(self):
        return self.prices[self.item] * self.count * self.rates[self.money]

    @tool
    def price(self, item: str) -> int:
        """Price of one piece, in cents at home."""
        return self.prices[item]

    @tool
    def convert(self, cents: int, money: str) -> int:
        """Cents at home as foreign cents."""
        return cents * self.rates[money]

    @tool
    def write_invoice(self, customer: str, foreign_cents: int) -> str:
        """Write an invoice."""
        self.state["invoices"].append([customer, foreign_cents])
        return "written"

    @tool
    def send_invoice(self, customer: str) -> str:
        """Send a customer's invoices."""
        if customer not in [name for name, _ in self.state["invoices"]]:
            raise ValueError("there is no invoice for this customer")
        self.state["sent"].append(customer)
        return "sent"

    def solution(self):
        return [
            [
                self.call("price", item=self.item),
                self.call("convert", cents=self.prices[self.item] * self.count, money=self.money),
                self.call("write_invoice", customer=self.customer, foreign_cents=self.total()),
            ],
            [self.call("send_invoice", customer=self.customer)],
        ]
