from openspade_env import Game, same_answer


class Turtle(Game):
    """A turtle walks and turns. Where does it stop?"""

    skill = "spatial reasoning"
    hint = (
        "Keep three numbers: column, row and heading; a turn changes only the heading, a walk only one of the others."
    )
    max_turns = 1

    def start(self, rng):
        column = row = heading = 0
        steps = []
        for _ in range(rng.randint(6, 9)):
            count, turn = rng.randint(1, 9), rng.choice([1, 3])
            dx, dy = [(0, 1), (1, 0), (0, -1), (-1, 0)][heading]
            column, row, heading = column + count * dx, row + count * dy, (heading + turn) % 4
            steps.append(f"walk {count}, turn {'right' if turn == 1 else 'left'}")
        self.stop = [column, row]
        return (
            f"From column 0, row 0, facing north: {'; '.join(steps)}. "
            "North adds to the row, east to the column. Column and row at the end?"
        )

    def act(self, action):
        return self.win() if same_answer(action, self.stop, kind="list") else self.lose()

    def solution(self):
        return [f"{self.stop[0]}, {self.stop[1]}"]
