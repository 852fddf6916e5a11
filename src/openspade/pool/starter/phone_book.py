from openspade_env import Request, ToolTask, tool

NAMES = ["Ann Bauer", "Bo Lind", "Cleo Marsh", "Dev Rao", "Eva Novak", "Finn Olsen", "Gus Weir", "Hal Stone"]


class PhoneBook(ToolTask):
    """A directory of people, desks and telephones; questions are answered on a slip of paper."""

    skill = "data retrieval"
    hint = "People have desks, desks have telephones: two look-ups lead from a name to a number."
    max_turns = 12

    def start(self, rng):
        desks = rng.sample(range(100, 1000), len(NAMES))
        phones = rng.sample(range(10000, 100000), len(NAMES))
        self.desks = {name: str(desks[i]) for i, name in enumerate(NAMES)}
        self.phones = {str(desk): str(phones[i]) for i, desk in enumerate(desks)}
        one, self.boss, other = rng.sample(NAMES, 3)
        self.bosses = {name: rng.choice(NAMES) for name in NAMES} | {other: self.boss}
        self.one, self.other = one, other
        self.state = {"slip": ""}
        self.requests = [
            Request(f"What is {one}'s telephone number?", done=lambda s: s["slip"] == self.phones[self.desks[one]]),
            Request(f"And the one of {other}'s boss?", done=lambda s: s["slip"] == self.phones[self.desks[self.boss]]),
        ]

    @tool
    def desk_of(self, person: str) -> str:
        """Number of a person's desk."""
        return self.desks[person]

    @tool
    def phone_at(self, desk: str) -> str:
        """Telephone at a desk."""
        return self.phones[desk]

    @tool
    def boss_of(self, person: str) -> str:
        """A person's boss."""
        return self.bosses[person]

    @tool
    def write_slip(self, text: str) -> str:
        """Hand over the answer, and nothing but the answer, on a slip of paper."""
        self.state["slip"] = text.strip()
        return "handed over"

    def solution(self):
        def look_up(person):
            desk = self.desks[person]
            phone = self.phones[desk]
            return [
                self.call("desk_of", person=person),
                self.call("phone_at", desk=desk),
                self.call("write_slip", text=phone),
            ]

        return [look_up(self.one), [self.call("boss_of", person=self.other), *look_up(self.boss)]]
