# GOOD: nested arguments: one call with a list of records, built from three look-ups
from openspade_env import Request, ToolError, ToolTask, tool


class Payroll(ToolTask):
    """A payroll desk: wages are paid in one batch after the hours have been looked up."""

    skill = "multi-step workflow"
    hint = "Hours times the rate of the grade, for each person, all in one batch."
    max_turns = 10

    def start(self, rng):
        self.names = rng.sample(["Amin", "Bea", "Chen", "Dov", "Eva"], 3)
        self.hours = {n: rng.randint(20, 60) for n in self.names}
        self.grade = {n: rng.choice(["junior", "senior"]) for n in self.names}
        self.rates = {"junior": rng.randint(11, 19), "senior": rng.randint(20, 39)}
        self.state = {"paid": []}
        wages = {n: self.hours[n] * self.rates[self.grade[n]] for n in self.names}
        self.requests = [
            Request(
                f"Pay this week's wages of {', '.join(self.names)} in one batch.",
                done=lambda s: [sorted((e["name"], e["wage"]) for e in batch) for batch in s["paid"]] == [sorted(wages.items())],
            )
        ]
        self.wages = wages

    @tool
    def timesheet(self, name: str) -> dict:
        """Hours and grade of a person this week."""
        return {"hours": self.hours[name], "grade": self.grade[name]}

    @tool
    def rates_by_grade(self) -> dict:
        """Wage an hour for each grade."""
        return self.rates

    @tool
    def pay_batch(self, entries: list[dict]) -> str:
        """Pay wages.

        entries: each with name and wage
        """
        if not entries or any(set(e) != {"name", "wage"} or type(e["name"]) is not str or e["name"] not in self.hours or type(e["wage"]) is not int for e in entries):
            raise ToolError("each entry needs the name of a person and a whole wage")
        self.state["paid"].append(entries)
        return "paid"

    def solution(self):
        looks = [self.call("timesheet", name=n) for n in self.names]
        return [[*looks, self.call("rates_by_grade"), self.call("pay_batch", entries=[{"name": n, "wage": w} for n, w in self.wages.items()])]]
