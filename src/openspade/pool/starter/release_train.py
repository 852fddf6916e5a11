from openspade_env import Request, ToolError, ToolTask, tool


class ReleaseTrain(ToolTask):
    """Build, test, deploy: every service wants the number that the one before handed out."""

    skill = "API orchestration"
    hint = "A build has one number, its test report another; only a report can be deployed."
    max_turns = 12

    def start(self, rng):
        self.branch = f"{rng.choice(['fix', 'feature', 'topic'])}-{rng.randint(100, 999)}"
        self.build_number, self.report = rng.randint(10000, 99999), f"R{rng.randint(1000, 9999)}"
        self.state = {"built": None, "tested": None, "live": {}}
        self.requests = [
            Request(
                f"Put branch {self.branch} on the stage server.", done=lambda s: s["live"] == {"stage": self.report}
            ),
            Request(
                "Looks fine. The same on the shop server, please.",
                done=lambda s: s["live"] == {"stage": self.report, "shop": self.report},
            ),
            Request("And roll back the coffee machine.", impossible=True),
        ]

    @tool
    def build(self, branch: str) -> dict:
        """Build a branch."""
        if branch != self.branch:
            raise ToolError("there is no such branch")
        self.state["built"] = self.build_number
        return {"build": self.build_number}

    @tool
    def test(self, build: int) -> dict:
        """Test a build."""
        if build != self.state["built"]:
            raise ToolError("there is no such build")
        self.state["tested"] = self.report
        return {"report": self.report, "passed": True}

    @tool
    def deploy(self, report: str, server: str) -> str:
        """Deploy what a report has passed to a server."""
        if report != self.state["tested"]:
            raise ToolError("there is no such report")
        self.state["live"][server] = report
        return "live"

    def solution(self):
        return [
            [
                self.call("build", branch=self.branch),
                self.call("test", build=self.build_number),
                self.call("deploy", report=self.report, server="stage"),
            ],
            [self.call("deploy", report=self.report, server="shop")],
            [self.decline("No tool reaches the coffee machine.")],
        ]
