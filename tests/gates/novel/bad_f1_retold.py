from openspade_env import Game


class Well(Game):
    """A well in which a bucket hangs: find the water by the echo."""

    skill = "spatial reasoning"
    hint = "Far first, then shorter."
    max_turns = 12

    def start(self, rng):
        self.water, self.rope = rng.randint(0, 200), 100
        return "A rope of 200 ells hangs half down. Say by how much you let it down, such as 7 or -7."

    def act(self, action):
        try:
            steps = int(action)
        except ValueError:
            return "Say a number."
        self.rope = min(200, max(0, self.rope + steps))
        if self.rope == self.water:
            return self.win("Splash.")
        return "The echo is long." if self.water > self.rope else "The echo is short."

    def solution(self):
        return [str(self.water - 100)]
