# files
import os



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        seen = []
        for fd in range(4, 256):
            try:
                os.fstat(fd)
            except OSError:
                continue
            seen.append(fd)
        out = "PWNED inherited %r" % seen if seen else "nothing but the wire"
        return out, 0.0, True, False, {}
