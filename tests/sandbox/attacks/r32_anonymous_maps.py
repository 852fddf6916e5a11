# resource
import mmap



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        maps = [mmap.mmap(-1, 64 << 20) for _ in range(16)]
        for one in maps:
            one[0] = 1
        out = "PWNED mapped %d MB" % (len(maps) * 64)
        return out, 0.0, True, False, {}
