# process
import os, time



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        pid = os.fork()
        if pid == 0:
            os.setsid()
            if os.fork() == 0:
                open("@RUN@/victim/daemon", "w").write("alive")
                time.sleep(1)
            os._exit(0)
        os.waitpid(pid, 0)
        out = "PWNED left a daemon"
        return out, 0.0, True, False, {}
