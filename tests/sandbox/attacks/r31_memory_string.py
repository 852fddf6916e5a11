# resource



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        x = "x" * (1200 << 20)
        out = "PWNED held %d MB" % (len(x) >> 20)
        return out, 0.0, True, False, {}
