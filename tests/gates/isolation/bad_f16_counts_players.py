from openspade_env import Game, same_answer


class CountsPlayers(Game):
    """Tells how many instances there are: an instance must not know of others."""

    skill = "mathematical reasoning"
    hint = "Count in tens."
    players = set()

    def start(self, rng):
        self.players.add(id_of(self))
        self.number = rng.randint(100, 999)
        return f"Of {len(self.players) // 200} hundred players, you are asked: twice {self.number}?"

    def act(self, action):
        return self.win(f"{len(self.players)} played.") if same_answer(action, 2 * self.number, kind="number") else self.lose()

    def solution(self):
        return [str(2 * self.number)]


def id_of(player):
    return f"{player!r}"
