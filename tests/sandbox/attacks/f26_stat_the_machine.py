# files
import os



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        found = [path for path in ("/etc/hostname", "/etc/passwd", "/usr", "@RUN@/home/.ssh/id_rsa") if os.path.exists(path)]
        out = "PWNED knows that %r exist" % found if found else "nothing to see"
        return out, 0.0, True, False, {}
