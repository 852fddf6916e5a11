# resource



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        out = "x" * (60 << 20)
        return out, 0.0, True, False, {}
