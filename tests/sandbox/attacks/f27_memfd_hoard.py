# files
import os



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        fds = []
        for _ in range(16):
            fd = os.memfd_create("hoard")
            os.truncate(fd, 64 << 20)
            fds.append(fd)
        out = "PWNED %d memory files" % len(fds)
        return out, 0.0, True, False, {}
