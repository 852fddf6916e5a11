# process
import ctypes, mmap



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        page.write(bytes([0xB8, 42, 0, 0, 0, 0xC3]))
        call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
        out = "PWNED ran its own machine code: %d" % call()
        return out, 0.0, True, False, {}
