from openspade_env import Game, as_number


class BeaconMast(Game):
    """How high is a mast? Two sights from the ground give slopes; answers within two percent count."""

    skill = "mathematical reasoning"
    hint = "Two slopes to the same top: the distances differ by what you walked, the height is the same."
    max_turns = 1

    def start(self, rng):
        self.height = rng.randint(20, 90)
        near, walk = rng.randint(15, 60), rng.randint(10, 40)
        far = near + walk
        return (
            f"Walking {walk} m away from a mast, the slope to its top falls from {self.height / near:.4f} "
            f"to {self.height / far:.4f} (height over distance). How high is it, in metres?"
        )

    def act(self, action):
        given = as_number(action)
        right = given is not None and abs(given - self.height) * 50 <= self.height
        return self.win() if right else self.lose()

    def solution(self):
        return [str(self.height)]
