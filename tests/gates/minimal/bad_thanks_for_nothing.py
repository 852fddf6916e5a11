from openspade_env import Request, ToolTask, tool


class ThanksForNothing(ToolTask):
    """The solution logs in first, but nobody asks for the login."""

    skill = "API orchestration"
    hint = "Log in first."

    def start(self, rng):
        self.note = f"note {rng.randint(100, 999)}"
        self.state = {"user": "", "notes": []}
        self.requests = [Request(f"Log in as ann and save {self.note}.", done=lambda s: self.note in s["notes"])]

    @tool
    def login(self, user: str) -> str:
        """Log in."""
        self.state["user"] = user
        return "welcome"

    @tool
    def save(self, text: str) -> str:
        """Save a note."""
        self.state["notes"].append(text)
        return "saved"

    def solution(self):
        return [[self.call("login", user="ann"), self.call("save", text=self.note)]]
