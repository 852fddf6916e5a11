# files
import os



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        os.symlink("@RUN@/home/.ssh/id_rsa", "@RUN@/scratch/link")
        out = "PWNED " + open("@RUN@/scratch/link").read()
        return out, 0.0, True, False, {}
