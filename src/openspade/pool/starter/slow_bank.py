from openspade_env import Request, ToolTask, tool


class SlowBank(ToolTask):
    """A bank whose line drops after the money has moved: paying again would pay twice."""

    skill = "error recovery"
    hint = "After a dropped line look at the account before you repeat anything: the order may have arrived."
    max_turns = 12

    def start(self, rng):
        names = rng.sample(["Ann", "Bo", "Cleo", "Dev", "Eva"], 2)
        self.first, self.second = names
        self.sums = [rng.randint(11, 500), rng.randint(11, 500)]
        self.state = {"paid": [], "receipts": {}}
        self.codes = [f"Q{rng.randint(1000, 9999)}" for _ in range(2)]
        self.requests = [
            Request(
                f"Pay {self.first} {self.sums[0]} euros, and file the transfer's code under 'first'.",
                done=lambda s: s["receipts"] == {"first": self.codes[0]} and len(s["paid"]) == 1,
            ),
            Request(
                f"Now {self.sums[1]} euros to {self.second}; its code goes under 'second'.",
                done=lambda s: s["receipts"].get("second") == self.codes[1] and len(s["paid"]) == 2,
            ),
        ]

    @tool
    def pay(self, name: str, euros: int) -> dict:
        """Transfer money to somebody."""
        wish = [(self.first, self.sums[0]), (self.second, self.sums[1])]
        paid = self.state["paid"]
        if len(paid) >= 2 or (name, euros) != wish[len(paid)]:
            raise ValueError("the bank refuses this transfer")
        paid.append({"name": name, "euros": euros, "code": self.codes[len(paid)]})
        self.fail_once("the line dropped; it is not known whether the order arrived")
        return paid[-1]

    @tool
    def transfers(self) -> list:
        """All transfers so far."""
        return self.state["paid"]

    @tool
    def file_code(self, label: str, code: str) -> str:
        """File a transfer's code."""
        self.state["receipts"][label] = code
        return "filed"

    def solution(self):
        return [
            [
                self.call("pay", name=self.first, euros=self.sums[0]),
                self.call("transfers"),
                self.call("file_code", label="first", code=self.codes[0]),
            ],
            [
                self.call("pay", name=self.second, euros=self.sums[1]),
                self.call("file_code", label="second", code=self.codes[1]),
            ],
        ]
