"""OpenSPADE: a language model writes its own training environments and learns by playing them.

>>> import openspade
>>> with openspade.open_environment("pool:starter/code_lock") as lock:  # doctest: +SKIP
...     print(lock.reset(seed=1).text)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from openspade.api.open_environment import EnvironmentFailed as EnvironmentFailed
    from openspade.api.open_environment import OpenEnvironment as OpenEnvironment
    from openspade.api.open_environment import PlayedEpisode as PlayedEpisode
    from openspade.api.open_environment import check as check
    from openspade.api.open_environment import open_environment as open_environment
    from openspade.api.open_environment import play as play
    from openspade.api.stored_run import StoredRun as StoredRun
    from openspade.api.stored_run import load_config as load_config
    from openspade.api.stored_run import open_run as open_run
    from openspade.api.stored_run import resume as resume
    from openspade.api.stored_run import train as train
    from openspade.types import Action as Action
    from openspade.types import Observation as Observation
    from openspade.types import ToolCall as ToolCall

_HOMES = {
    "openspade.api.open_environment": "EnvironmentFailed OpenEnvironment PlayedEpisode check open_environment play",
    "openspade.api.stored_run": "StoredRun load_config open_run resume train",
    "openspade.types": "Action Observation ToolCall",
}
__all__ = [name for names in _HOMES.values() for name in names.split()]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    """The public names, imported when they are first asked for: commands and confined children need none of them."""
    home = next((module for module, names in _HOMES.items() if name in names.split()), None)
    if home is None:
        raise AttributeError(f"module 'openspade' has no attribute {name!r}; it offers {', '.join(__all__)}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
