# network
import socket



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        s = socket.socket(socket.AF_UNIX)
        s.connect("@RUN@/socket")
        s.send(b"x")
        out = "PWNED reached a socket by its path"
        return out, 0.0, True, False, {}
