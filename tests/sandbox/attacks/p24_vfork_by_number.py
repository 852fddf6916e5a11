# process
import ctypes, os, time



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        pid = ctypes.CDLL(None).syscall(56, 17, 0, 0, 0, 0)
        if pid == 0:
            time.sleep(1)
            os._exit(0)
        out = "PWNED cloned by number" if pid > 0 else "refused"
        return out, 0.0, True, False, {}
