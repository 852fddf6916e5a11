# resource



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        return "x", 0.0, True, False, {"x": ["[]"] * 2_000_000}
        return out, 0.0, True, False, {}
