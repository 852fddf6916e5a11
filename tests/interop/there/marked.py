"""A taskset for verifiers 0.4 whose system prompts say who plays what, so that a stub model knows."""

import importlib
import os

package = importlib.import_module(os.environ["EXPORTED"])
DesignEnv = package.DesignEnv


class MarkedDesigns(package.Designs):
    def load(self):
        for player in ("solution", "naive"):
            for task in super().load():
                data = task.data
                marked = f"{data.system_prompt} [{player} {data.design} {data.seed}]"
                yield task.with_data(system_prompt=marked, id=f"{player}/{data.id}")


__all__ = ["DesignEnv", "MarkedDesigns"]
