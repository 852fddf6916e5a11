# network
import ctypes



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        libc = ctypes.CDLL(None)
        fd = libc.syscall(41, 2, 1, 0)
        out = "PWNED socket by number" if fd >= 0 else "refused"
        return out, 0.0, True, False, {}
