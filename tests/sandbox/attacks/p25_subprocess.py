# process
import subprocess



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        out = "PWNED " + subprocess.run(["/bin/echo", "ran"], capture_output=True, text=True, timeout=5).stdout
        return out, 0.0, True, False, {}
