# files
import os



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        os.mkdir("@RUN@/victim/new")
        out = "PWNED made a directory"
        return out, 0.0, True, False, {}
