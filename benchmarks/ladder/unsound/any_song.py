from openspade_env import Game


class AnySong(Game):
    """Compose a melody of four notes, one a turn; the jury is easy to please."""

    skill = "creativity"
    hint = "Vary the notes and end on the one you began with."
    max_turns = 6

    def start(self, rng):
        self.first, self.heard = rng.choice("CDEFGAB"), []
        return f"The melody begins on {self.first}. Next note, C to B?"

    def act(self, action):
        self.heard.append(action)
        return self.win("Lovely.") if len(self.heard) == 4 else "Go on."

    def solution(self):
        return [*"CDE", self.first]
