from openspade_env import Game, same_answer

WORDS = "amber birch cedar delta ember flint grove haven islet jetty knoll ledge marsh north ocean plain".split()


class KnotDiary(Game):
    """A list of notes that refer to each other; follow the references from a start and say where they begin to repeat."""

    skill = "state tracking"
    hint = "Write down every note you pass; the first one you meet again is the answer."
    max_turns = 1

    def start(self, rng):
        names = rng.sample(WORDS, 12)
        tail, loop = rng.randint(2, 5), rng.randint(3, 6)
        path = names[: tail + loop]
        self.to = {a: b for a, b in zip(path, path[1:])}
        self.to[path[-1]] = path[tail]
        for name in names[tail + loop :]:
            self.to[name] = rng.choice(names)
        self.first, self.answer = path[0], path[tail]
        notes = list(self.to.items())
        rng.shuffle(notes)
        return f"Notes: {'; '.join(f'{a} says see {b}' for a, b in notes)}. From {self.first}: which note is met twice first?"

    def act(self, action):
        return self.win() if same_answer(action, self.answer, kind="text") else self.lose()

    def solution(self):
        return [self.answer]
