# BAD: closing the ticket is all that is checked; the work it describes is not
from openspade_env import Request, ToolError, ToolTask, tool


class Tickets(ToolTask):
    """A help desk: put right what a ticket reports, then close it."""

    skill = "multi-step workflow"
    hint = "Restart the service that the ticket names before you close it."
    max_turns = 8

    def start(self, rng):
        self.number, self.service = rng.randint(1000, 9999), rng.choice(["mail", "print", "login", "backup"])
        self.state = {"restarted": [], "closed": []}
        self.requests = [Request(f"Take care of ticket {self.number}: do what it says, then close it.", done=lambda s: s["closed"] == [self.number])]

    @tool
    def read(self, ticket: int) -> str:
        """A ticket's text."""
        if ticket != self.number:
            raise ToolError("no such ticket")
        return f"please restart {self.service}"

    @tool
    def restart(self, service: str) -> str:
        """Restart a service."""
        self.state["restarted"].append(service)
        return "restarted"

    @tool
    def close(self, ticket: int) -> str:
        """Close a ticket."""
        self.state["closed"].append(ticket)
        return "closed"

    def solution(self):
        return [[self.call("read", ticket=self.number), self.call("restart", service=self.service), self.call("close", ticket=self.number)]]
