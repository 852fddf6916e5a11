# resource
import resource



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        x = bytearray(1200 << 20)
        out = "PWNED raised its limits"
        return out, 0.0, True, False, {}
