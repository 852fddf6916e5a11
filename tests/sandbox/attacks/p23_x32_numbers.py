# process
import ctypes



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        fd = ctypes.CDLL(None).syscall(0x40000000 + 2, b"/etc/passwd", 0)
        out = "PWNED opened by an x32 number" if fd >= 0 else "refused"
        return out, 0.0, True, False, {}
