# process
import os



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        os.setuid(0)
        out = "PWNED became root" if os.geteuid() == 0 and not os.getppid() else "PWNED changed user"
        return out, 0.0, True, False, {}
