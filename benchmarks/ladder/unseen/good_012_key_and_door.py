# GOOD: text adventure with an inventory; the exit needs a key that lies elsewhere
from openspade_env import Game


class Manor(Game):
    """Explore a manor of eight rooms, find the key that fits, and leave by the front door."""

    skill = "planning"
    hint = "Take the key of the metal that the door's plate names."
    max_turns = 60

    def start(self, rng):
        while True:
            self._build(rng)
            if len(self.solution()) >= 8:
                break
        return f"The front door of this {self.at} has a {self.metal} plate. Say a direction, take, drop or unlock.\n{self._seen()}"

    def _build(self, rng):
        names = "hall library kitchen cellar attic nursery study chapel".split()
        rng.shuffle(names)
        self.rooms, self.ways = names, {n: {} for n in names}
        opposite = {"north": "south", "south": "north", "east": "west", "west": "east"}
        for index, name in enumerate(names[1:], 1):
            while True:
                other, way = rng.choice(names[:index]), rng.choice(sorted(opposite))
                if way not in self.ways[other]:
                    break
            self.ways[other][way], self.ways[name][opposite[way]] = name, other
        metals = rng.sample(["brass", "iron", "silver", "copper"], 3)
        self.keys = dict(zip(rng.sample(names[1:], 3), metals))
        self.metal, self.at, self.bag = metals[0], names[0], []

    def _seen(self):
        lying = f" A {self.keys[self.at]} key lies here." if self.at in self.keys else ""
        return f"{self.at}: doors {', '.join(sorted(self.ways[self.at]))}.{lying}"

    def act(self, action):
        word = action.strip().lower()
        if word in self.ways[self.at]:
            self.at = self.ways[self.at][word]
            return self._seen()
        if word == "take" and self.at in self.keys:
            if self.bag:
                return "You can carry one key; drop it first."
            self.bag = [self.keys.pop(self.at)]
            return f"Taken. {self._seen()}"
        if word == "drop" and self.bag and self.at not in self.keys:
            self.keys[self.at] = self.bag.pop()
            return f"Dropped. {self._seen()}"
        if word == "unlock" and self.at == self.rooms[0]:
            if self.bag == [self.metal]:
                return self.win("You are out.")
            return self.lose("The wrong key breaks in the lock.") if self.bag else "You have no key."
        return f"That cannot be done here. {self._seen()}"

    def solution(self):
        goal = next(room for room, metal in self.keys.items() if metal == self.metal)
        ways = [[self.rooms[0]]]
        for way in ways:
            if way[-1] == goal:
                break
            ways += [[*way, room] for room in self.ways[way[-1]].values() if room not in way]
        out = [next(d for d, r in self.ways[a].items() if r == b) for a, b in zip(way, way[1:])]
        back = [next(d for d, r in self.ways[b].items() if r == a) for a, b in zip(way, way[1:])][::-1]
        return [*out, "take", *back, "unlock"]
