# files
import os, msgspec



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        place = os.path.dirname(msgspec.__file__)
        with open(os.path.join(place, "planted_by_attack.py"), "w") as file:
            file.write("x = 1")
        os.unlink(os.path.join(place, "planted_by_attack.py"))
        out = "PWNED wrote beside an installed package"
        return out, 0.0, True, False, {}
