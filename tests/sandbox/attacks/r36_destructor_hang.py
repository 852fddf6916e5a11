# resource



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        class Clinging:
            def __del__(self):
                while True:
                    pass
        x = Clinging()
        del x
        out = ""
        return out, 0.0, True, False, {}
