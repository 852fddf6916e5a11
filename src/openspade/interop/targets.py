"""Every framework that an export can be for, by the name that `--to` takes."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from openspade.errors import ConfigError
from openspade.interop import gem, gymnasium, harbor, hf, nemo_gym, openenv, trl, verifiers_v0, verifiers_v1
from openspade.interop.package import Target

TARGETS: Mapping[str, Target] = {
    "gymnasium": gymnasium.TARGET,
    "verifiers": verifiers_v1.TARGET,
    "verifiers-v0": verifiers_v0.TARGET,
    "openenv": openenv.TARGET,
    "nemo-gym": nemo_gym.TARGET,
    "harbor": harbor.TARGET,
    "trl": trl.TARGET,
    "gem": gem.TARGET,
    "hf": hf.TARGET,
}


def target_named(name: str) -> Target:
    """Raises ConfigError for one that is not there."""
    if name not in TARGETS:
        near = difflib.get_close_matches(name, TARGETS, n=1, cutoff=0.5)
        meant = f"; did you mean {near[0]}?" if near else ""
        raise ConfigError(f"--to {name!r} is no target; there are {', '.join(TARGETS)}{meant}")
    return TARGETS[name]
