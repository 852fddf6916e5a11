# integrity
import sys



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        channel = sys.modules["openspade.sandbox.child.channel"]
        channel._send = lambda *arguments: None
        channel.os.write(3, b"PWNED!")
        out = "patched the far side"
        return out, 0.0, True, False, {}
