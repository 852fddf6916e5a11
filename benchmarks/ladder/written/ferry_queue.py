from openspade_env import Game, as_number


class FerryQueue(Game):
    """Load a ferry car by car: each car has a length, the deck has two lanes, and no car may stay behind."""

    skill = "planning"
    hint = "Put the longest cars first, always into the lane with more room."
    max_turns = 12

    def start(self, rng):
        while True:
            self.cars = [rng.randint(3, 19) for _ in range(8)]
            lanes = [rng.randint(0, 1) for _ in self.cars]
            self.room = [sum(c for c, lane in zip(self.cars, lanes) if lane == n) for n in (0, 1)]
            if min(self.room) > 20 and self.ways() < 6:
                break
        self.next = 0
        lengths = " ".join(map(str, self.cars))
        return f"Cars in line: {lengths} m. Lane 1 has {self.room[0]} m, lane 2 {self.room[1]} m. First car to lane 1 or 2?"

    def packings(self):
        for code in range(2 ** len(self.cars)):
            lanes = [1 + (code >> i & 1) for i in range(len(self.cars))]
            if sum(c for c, lane in zip(self.cars, lanes) if lane == 1) == self.room[0]:
                yield lanes

    def ways(self):
        return sum(1 for _ in self.packings())

    def act(self, action):
        lane = as_number(action)
        if lane not in (1, 2):
            return "Lane 1 or 2?"
        lane = int(lane) - 1
        if self.cars[self.next] > self.room[lane]:
            return self.lose("It does not fit. The ferry leaves without it.")
        self.room[lane] -= self.cars[self.next]
        self.next += 1
        if self.next == len(self.cars):
            return self.win("All aboard.")
        return f"Aboard. Lane 1 has {self.room[0]} m, lane 2 {self.room[1]} m. The next car has {self.cars[self.next]} m."

    def solution(self):
        return [str(lane) for lane in next(self.packings())]
