# resource



class Env:
    def reset(self, seed=None):
        return 'ready'

    def step(self, action):
        class Same:
            def __hash__(self):
                return 1
            def __eq__(self, other):
                return False
        x = {Same(): i for i in range(10 ** 7)}
        out = str(len(x))
        return out, 0.0, True, False, {}
