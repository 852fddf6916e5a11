# GOOD: a dictionary of lists as an argument, compared as sets of addresses
from openspade_env import Request, ToolError, ToolTask, tool


class NameServer(ToolTask):
    """A name server: a zone's records are replaced as a whole, keeping what is not to change."""

    skill = "state modification"
    hint = "Read the zone, change the one record, write all of them back."
    max_turns = 8

    def start(self, rng):
        def address():
            return f"10.{rng.randint(0, 255)}.{rng.randint(0, 255)}.{rng.randint(1, 254)}"

        self.zone = rng.choice(["harbour", "quarry", "orchard"]) + ".example"
        self.records = {host: [address() for _ in range(2)] for host in rng.sample(["www", "mail", "shop", "wiki"], 3)}
        self.host, self.new = rng.choice(sorted(self.records)), address()
        self.wanted = {**self.records, self.host: [*self.records[self.host], self.new]}
        self.state = {self.zone: self.records}
        self.requests = [Request(f"Add {self.new} to {self.host} of {self.zone}.", done=lambda s: {h: sorted(a) for h, a in s[self.zone].items()} == {h: sorted(a) for h, a in self.wanted.items()})]

    @tool
    def read_zone(self, zone: str) -> dict:
        """Records of a zone."""
        return self.state[zone]

    @tool
    def write_zone(self, zone: str, records: dict[str, list[str]]) -> str:
        """Replace all records of a zone."""
        if zone != self.zone:
            raise ToolError("no such zone")
        self.state[zone] = records
        return "written"

    def solution(self):
        return [[self.call("read_zone", zone=self.zone), self.call("write_zone", zone=self.zone, records=self.wanted)]]
