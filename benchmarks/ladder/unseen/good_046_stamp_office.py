# GOOD: a call whose only use is the error it gives: it names the counter to go to
from openspade_env import Request, ToolError, ToolTask, tool


class Stamps(ToolTask):
    """A town hall: a form is accepted only with the stamp of one counter, and only a refusal says which."""

    skill = "error recovery"
    hint = "Hand the form in; the refusal names the counter that stamps it."
    max_turns = 10

    def start(self, rng):
        self.form, self.counter = f"form {rng.randint(10, 99)}", rng.randint(1, 60)
        self.stamp = f"{rng.choice('KLMNP')}{rng.randint(100, 999)}"
        self.state = {"accepted": []}
        self.requests = [Request(f"Hand in {self.form}.", done=lambda s: s["accepted"] == [self.form])]

    @tool
    def hand_in(self, form: str, stamp: str = "") -> str:
        """Hand in a form.

        stamp: of the counter in charge
        """
        if form != self.form:
            raise ToolError("no such form")
        if stamp != self.stamp:
            raise ToolError(f"refused: it lacks the stamp of counter {self.counter}")
        self.state["accepted"].append(form)
        return "accepted"

    @tool
    def ask_counter(self, counter: int, form: str) -> str:
        """Have a form stamped at a counter; the answer is the stamp."""
        if counter != self.counter or form != self.form:
            raise ToolError("not at this counter")
        return self.stamp

    def solution(self):
        return [[self.call("hand_in", form=self.form), self.call("ask_counter", counter=self.counter, form=self.form), self.call("hand_in", form=self.form, stamp=self.stamp)]]
