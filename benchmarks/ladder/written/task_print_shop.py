from openspade_env import Request, ToolError, ToolTask, tool


class PrintShop(ToolTask):
    """A print shop: jobs with options in nested form, a stock of paper, and a bill."""

    skill = "function calling"
    hint = "A job is one object with paper and finish inside; the bill multiplies sheets with the price of that paper."
    max_turns = 14

    def start(self, rng):
        papers = rng.sample(["linen", "kraft", "bond", "rag", "laid"], 3)
        self.price = dict(zip(papers, rng.sample(range(3, 40), 3)))
        self.paper, self.sheets = rng.choice(papers), rng.randint(20, 400)
        self.colour = rng.choice(["red", "green", "black"])
        self.state = {"jobs": [], "billed": []}
        want = {"sheets": self.sheets, "paper": self.paper, "finish": {"colour": self.colour, "folds": 2}}
        self.want = want
        self.requests = [
            Request(
                f"Print {self.sheets} sheets on {self.paper}, ink {self.colour}, folded twice.", done=lambda s: s["jobs"] == [want]
            ),
            Request("Bill it, please.", done=lambda s: s["billed"] == [self.sheets * self.price[self.paper]]),
        ]

    @tool
    def price_of(self, paper: str) -> int:
        """Cents for a sheet."""
        return self.price[paper]

    @tool
    def print_job(self, job: dict) -> str:
        """Print. A job is {"sheets": n, "paper": name, "finish": {"colour": name, "folds": n}}."""
        if set(job) != {"sheets", "paper", "finish"} or not isinstance(job["finish"], dict):
            raise ToolError("a job has sheets, paper and finish with colour and folds")
        self.state["jobs"].append(job)
        return "printed"

    @tool
    def bill(self, cents: int) -> str:
        """Write a bill."""
        if cents <= 0:
            raise ToolError("more than nothing, please")
        self.state["billed"].append(cents)
        return "billed"

    def solution(self):
        return [
            [self.call("print_job", job=self.want)],
            [self.call("price_of", paper=self.paper), self.call("bill", cents=self.sheets * self.price[self.paper])],
        ]
