from openspade_env import Request, ToolTask, tool


class SalesReport(ToolTask):
    """Figures by region and month; the report asks for sums and for the best."""

    skill = "data retrieval"
    hint = "Fetch every region before you name the best: the order of the list says nothing."
    max_turns = 14

    def start(self, rng):
        regions = rng.sample(["north", "south", "east", "west", "coast", "hills"], 3)
        self.sales = {region: {month: rng.randint(100, 999) for month in ("May", "June")} for region in regions}
        self.asked = rng.choice(regions)
        self.best = max(regions, key=lambda region: self.sales[region]["June"])
        self.state = {"report": {}}
        total = sum(self.sales[self.asked].values())
        self.requests = [
            Request(f"Report the sum of {self.asked} as 'sum'.", done=lambda s: s["report"].get("sum") == str(total)),
            Request(
                "Report the region with the best June as 'best'.", done=lambda s: s["report"].get("best") == self.best
            ),
            Request("Report next year's figures as 'future'.", impossible=True),
        ]

    @tool
    def regions(self) -> list:
        """Names of all regions."""
        return sorted(self.sales)

    @tool
    def figures(self, region: str) -> dict:
        """A region's sales by month."""
        return self.sales[region]

    @tool
    def report(self, field: str, text: str) -> str:
        """Fill in a field of the report."""
        self.state["report"][field] = text.strip()
        return "filled in"

    def solution(self):
        total = str(sum(self.sales[self.asked].values()))
        return [
            [self.call("figures", region=self.asked), self.call("report", field="sum", text=total)],
            [
                self.call("regions"),
                *[self.call("figures", region=region) for region in sorted(self.sales)],
                self.call("report", field="best", text=self.best),
            ],
            [self.decline("Nobody knows next year's figures.")],
        ]
