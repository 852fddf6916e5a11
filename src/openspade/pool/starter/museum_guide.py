from openspade_env import Request, ToolTask, tool

WORKS = ["The Storm", "Blue Door", "Old Mill", "Two Sisters", "Night Ferry", "White Horse", "The Letter"]


class MuseumGuide(ToolTask):
    """A museum's catalogue: find works by number, and answer visitors on the display."""

    skill = "data retrieval"
    hint = "A search gives numbers, not facts: open the record of a number before you show anything."
    max_turns = 12

    def start(self, rng):
        numbers = rng.sample(range(100, 1000), len(WORKS))
        self.records = {
            f"M{numbers[i]}": {
                "title": title,
                "year": rng.randint(1500, 1999),
                "room": f"{rng.choice('ABCD')}{rng.randint(1, 40)}",
            }
            for i, title in enumerate(WORKS)
        }
        self.one, self.other = rng.sample(sorted(self.records), 2)
        self.state = {"display": ""}
        self.requests = [
            Request(
                f"In which room hangs {self.title(self.one)}?",
                done=lambda s: s["display"] == self.records[self.one]["room"],
            ),
            Request(
                "When was the picture painted that I like best?",
                answers={"which picture": f"I mean {self.title(self.other)}"},
                done=lambda s: s["display"] == str(self.records[self.other]["year"]),
            ),
        ]

    def title(self, number):
        return self.records[number]["title"]

    @tool
    def search(self, title: str) -> list:
        """Numbers of works with this title."""
        return [number for number, record in self.records.items() if record["title"] == title]

    @tool
    def record(self, number: str) -> dict:
        """What the catalogue says about a work."""
        return self.records[number]

    @tool
    def show(self, text: str) -> str:
        """Show the bare answer on the display."""
        self.state["display"] = text.strip()
        return "shown"

    def solution(self):
        def answer(number, field):
            found = [self.call("search", title=self.title(number)), self.call("record", number=number)]
            return [*found, self.call("show", text=str(self.records[number][field]))]

        return [answer(self.one, "room"), ["Which picture do you mean?", *answer(self.other, "year")]]
