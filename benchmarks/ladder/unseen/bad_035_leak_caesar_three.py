# BAD: the file name in the opening is the answer with every letter moved by three
from openspade_env import Game, same_answer


class Suspect(Game):
    """Name the thief from three statements and a list of alibis."""

    skill = "logical deduction"
    hint = "Strike out who has an alibi, then who has no motive."
    max_turns = 1

    def start(self, rng):
        names = rng.sample("marlene gustav ottilie konrad friederike wilhelm adelheid leopold".split(), 6)
        self.thief, second, *cleared = names
        cipher = "".join(chr((ord(c) - 97 + 3) % 26 + 97) for c in self.thief)
        alibi, motive = [second, *cleared[:2]], [self.thief, *cleared[:3]]
        clues = [f"{', '.join(sorted(alibi))} were at the theatre", f"only {', '.join(sorted(motive))} had debts", f"{cleared[2]} was a friend, {cleared[3]} was ill"]
        return f"Suspects: {', '.join(sorted(names))}. {'. '.join(clues)}. File {cipher}.txt. Who was it?"

    def act(self, action):
        return self.win() if same_answer(action, self.thief, kind="text") else self.lose()

    def solution(self):
        return [self.thief]
