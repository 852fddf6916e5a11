from openspade_env import Request, ToolError, ToolTask, tool

TEAS = {"assam": 4, "keemun": 6, "sencha": 5, "rooibos": 3}


class TeaRoom(ToolTask):
    """Tables, pots and a till: guests change their minds between two requests."""

    skill = "state modification"
    hint = "Read the table again before you bill: what stands there may have changed since you served it."
    max_turns = 14

    def start(self, rng):
        self.table, self.extra = rng.randint(1, 12), rng.choice(sorted(TEAS))
        self.tea, self.pots = rng.choice(sorted(TEAS)), rng.randint(1, 4)
        self.state = {"served": {}, "bills": []}
        self.more = rng.randint(1, 3)
        total = self.pots * TEAS[self.tea] + self.more * TEAS[self.extra]
        self.total = total
        self.requests = [
            Request(
                f"{self.pots} pots of {self.tea} for table {self.table}.",
                done=lambda s: s["served"].get(self.table) == [[self.tea, self.pots]],
            ),
            Request(
                "The bill for our table, please.",
                change=lambda s: s["served"][self.table].append([self.extra, self.more]),
                done=lambda s: s["bills"] == [[self.table, total]],
            ),
        ]

    @tool
    def serve(self, table: int, tea: str, pots: int) -> str:
        """Serve pots of a tea to a table."""
        if tea not in TEAS:
            raise ToolError(f"no {tea} here")
        self.state["served"].setdefault(table, []).append([tea, pots])
        return "served"

    @tool
    def look(self, table: int) -> list:
        """What stands on a table: tea and pots."""
        return self.state["served"].get(table, [])

    @tool
    def prices(self) -> dict:
        """Prices of a pot."""
        return dict(TEAS)

    @tool
    def bill(self, table: int, total: int) -> str:
        """Bring a bill."""
        self.state["bills"].append([table, total])
        return "brought"

    def solution(self):
        return [
            [self.call("serve", table=self.table, tea=self.tea, pots=self.pots)],
            [
                self.call("look", table=self.table),
                self.call("prices"),
                self.call("bill", table=self.table, total=self.total),
            ],
        ]
