# network
import socket



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        s.connect(("::1", @PORT@))
        s.send(b"exfil")
        out = "PWNED an IPv6 socket"
        return out, 0.0, True, False, {}
