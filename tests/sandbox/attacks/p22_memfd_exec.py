# process
import os, ctypes



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        fd = os.memfd_create("program")
        os.write(fd, b"#!/bin/sh\necho x > @RUN@/victim/shell\n")
        os.execv("/proc/self/fd/%d" % fd, ["program"])
        out = "no"
        return out, 0.0, True, False, {}
