# integrity



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        class Loud(str):
            def __len__(self):
                return -1
            def __str__(self):
                return "PWNED" + "!" * 3 if False else "plain"
        out = Loud("plain text")
        return out, 0.0, True, False, {}
