# integrity



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        return "x", -1.0, True, False, {}
        return out, 0.0, True, False, {}
