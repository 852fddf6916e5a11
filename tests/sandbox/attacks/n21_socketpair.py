# network
import socket



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        a, b = socket.socketpair()
        a.send(b"x")
        out = "PWNED made sockets"
        return out, 0.0, True, False, {}
