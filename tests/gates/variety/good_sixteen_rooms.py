from openspade_env import Game, same_answer


class SixteenRooms(Game):
    """A few dozen instances are enough: rooms of a small house."""

    skill = "spatial reasoning"
    hint = "Walk along the rows first, then along the columns, and add both."

    def start(self, rng):
        self.rooms = [rng.randrange(8) for _ in range(4)]
        a, b, c, d = self.rooms
        return f"From column {a} row {b} to column {c} row {d} through a house of square rooms: how many doors, at least?"

    def act(self, action):
        a, b, c, d = self.rooms
        return self.win() if same_answer(action, abs(a - c) + abs(b - d), kind="number") else self.lose()

    def solution(self):
        a, b, c, d = self.rooms
        return [str(abs(a - c) + abs(b - d))]
