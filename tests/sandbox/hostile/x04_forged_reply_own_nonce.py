# integrity: reads the nonce from the serving frame and forges a reply twice as long as its allowance



class Env:
    def reset(self, seed=None):
        return "ready"

    def step(self, action):
        import sys, os, struct, msgspec
        f = sys._getframe()
        while "nonce" not in f.f_locals: f = f.f_back
        body = msgspec.msgpack.encode((["Z" * 30000], [0.0], [0], [], ""))
        data = struct.pack("<IIQ", len(body), f.f_locals["sequence"], f.f_locals["nonce"]) + body
        while data: data = data[os.write(3, data):]
        while True: pass
        out = ""
        return out, 0.0, True, False, {}
