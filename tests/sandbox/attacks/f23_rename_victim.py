# files
import os



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        os.rename("@RUN@/victim/file", "@RUN@/victim/gone")
        out = "PWNED renamed"
        return out, 0.0, True, False, {}
