from openspade_env import Game, same_answer


class LargeBoard(Game):
    """A board of ten thousand fields is a megabyte or so in each of many instances; that is allowed."""

    skill = "spatial reasoning"
    hint = "Walk the columns and the rows apart, and wrap each around once."
    max_turns = 1

    def start(self, rng):
        size = 100
        self.board = [[f"{column}/{row}" for column in range(size)] for row in range(size)]
        a, b = rng.randrange(size), rng.randrange(size)
        steps = [rng.randint(30, 99) for _ in range(2)]
        self.goal = self.board[(b + steps[1]) % size][(a + steps[0]) % size]
        return (
            f"A board of 100 by 100 fields whose edges meet. You stand on column {a}, row {b}, walk {steps[0]} columns "
            f"to the right and {steps[1]} rows up. Where are you? Answer as column/row."
        )

    def act(self, action):
        return self.win() if same_answer(action, self.goal) else self.lose()

    def solution(self):
        return [self.goal]
