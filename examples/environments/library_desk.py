from openspade_env import Request, ToolError, ToolTask, tool

TITLES = ["Dune", "Emma", "Ulysses", "Persuasion", "Middlemarch", "Beloved", "Walden", "Solaris"]


class LibraryDesk(ToolTask):
    """A library's front desk, where readers forget to say who they are."""

    skill = "data retrieval"
    hint = "Nobody can reserve for a reader without a card number: ask for it. Count fees over all the reader's loans."

    def start(self, rng):
        self.card = str(rng.randrange(10**5, 10**6))
        wish, *loans = rng.sample(TITLES, 4)
        self.wish = wish
        shelves = {title: f"{rng.choice('ABCDE')}{rng.randint(10, 99)}" for title in TITLES}
        fees = {title: rng.randint(1, 40) * 5 for title in loans}
        self.state = {"shelves": shelves, "reserved": {}, "loans": {self.card: fees}, "told": []}
        self.requests = [
            Request(f"On which shelf is {wish}? Just write it on a note.", done=lambda s: shelves[wish] in s["told"]),
            Request(
                "Please reserve it for me.",
                answers={"card": f"my card number is {self.card}"},
                done=lambda s: s["reserved"].get(wish) == self.card,
            ),
            Request(
                "What do I owe for late books, in cents? A note, please.", done=lambda s: s["told"][-1] == self.owed()
            ),
        ]

    def owed(self):
        return str(sum(self.state["loans"][self.card].values()))

    @tool
    def shelf_of(self, title: str) -> str:
        """The shelf where a book stands."""
        return self.state["shelves"][title]

    @tool
    def reserve(self, title: str, card: str) -> str:
        """Put a book aside for the reader with this card number."""
        if card not in self.state["loans"]:
            raise ToolError("no reader has this card number")
        self.state["reserved"][title] = card
        return "reserved"

    @tool
    def loans(self, card: str) -> dict:
        """A reader's books and the late fee of each, in cents."""
        return self.state["loans"][card]

    @tool
    def write_note(self, text: str) -> str:
        """Write a note for the reader: nothing but the shelf or the number asked for."""
        self.state["told"].append(text.strip())
        return "written"

    def solution(self):
        return [
            [self.call("shelf_of", title=self.wish), self.call("write_note", text=self.state["shelves"][self.wish])],
            ["What is your card number?", self.call("reserve", title=self.wish, card=self.card)],
            [self.call("loans", card=self.card), self.call("write_note", text=self.owed())],
        ]
