# files
import os



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        os.truncate("@RUN@/victim/file", 0)
        out = "PWNED truncated"
        return out, 0.0, True, False, {}
