# GOOD: Unicode names and a look-up that must be told apart from a near namesake
from openspade_env import Request, ToolError, ToolTask, tool


class AddressBook(ToolTask):
    """An address book of many scripts: change the number of one of two people with like names."""

    skill = "data retrieval"
    hint = "The town tells the two apart."
    max_turns = 8

    def start(self, rng):
        pair = rng.choice([("Łukasz Żak", "Łukasz Żuk"), ("José Peña", "José Pena"), ("山田 花子", "山田 華子"), ("Дмитрий Ли", "Димитрий Ли")])
        towns = rng.sample(["Gdańsk", "São Paulo", "京都", "Ереван", "Århus"], 2)
        ids = [f"p{n}" for n in rng.sample(range(100, 999), 2)]
        self.people = {i: {"name": n, "town": t, "number": str(rng.randint(10**6, 10**7))} for i, n, t in zip(ids, pair, towns)}
        self.id, self.new = rng.choice(ids), str(rng.randint(10**6, 10**7))
        self.state = {"numbers": {i: p["number"] for i, p in self.people.items()}}
        wanted = {**self.state["numbers"], self.id: self.new}
        who = self.people[self.id]
        self.requests = [Request(f"{who['name']} in {who['town']} has the number {self.new} now.", done=lambda s: s["numbers"] == wanted)]

    @tool
    def find(self, name_begins: str) -> dict:
        """People whose names begin with these letters."""
        return {i: {"name": p["name"], "town": p["town"]} for i, p in self.people.items() if p["name"].startswith(name_begins)}

    @tool
    def set_number(self, person: str, number: str) -> str:
        """Set a person's number.

        person: as find names it
        """
        if person not in self.people:
            raise ToolError("no such person")
        self.state["numbers"][person] = number
        return "set"

    def solution(self):
        return [[self.call("find", name_begins=self.people[self.id]["name"]), self.call("set_number", person=self.id, number=self.new)]]
