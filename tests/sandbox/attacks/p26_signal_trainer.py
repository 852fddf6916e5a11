# process
import os, signal



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        os.kill(@PPID@, 0)
        out = "PWNED may signal the trainer"
        return out, 0.0, True, False, {}
