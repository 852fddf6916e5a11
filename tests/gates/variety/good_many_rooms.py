from openspade_env import Game, same_answer


class ManyRooms(Game):
    """Coordinates at random make enough instances: rooms of a large house."""

    skill = "spatial reasoning"
    hint = "Walk along the rows first, then along the columns, and add both."

    def start(self, rng):
        self.rooms = [rng.randrange(30) for _ in range(4)]
        a, b, c, d = self.rooms
        return f"From column {a} row {b} to column {c} row {d} through a house of square rooms: how many doors, at least?"

    def act(self, action):
        a, b, c, d = self.rooms
        return self.win() if same_answer(action, abs(a - c) + abs(b - d), kind="number") else self.lose()

    def solution(self):
        a, b, c, d = self.rooms
        return [str(abs(a - c) + abs(b - d))]
