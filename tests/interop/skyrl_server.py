"""Starts SkyRL's Tinker server without `uv`, on this machine's own address only; run by the server's interpreter."""

from __future__ import annotations

import argparse
import sys
import typing

import typing_extensions

# On Python 3.11 pydantic refuses the TypedDict of the standard library, which SkyRL uses.
typing.TypedDict = typing_extensions.TypedDict

import uvicorn  # noqa: E402
from skyrl.tinker import api  # noqa: E402
from skyrl.tinker.config import EngineConfig, add_model, config_to_argv  # noqa: E402

WORKER = "--worker"


def main() -> None:
    """The HTTP server; with `--worker` the process it starts for the model."""
    if WORKER in sys.argv:
        from skyrl.tinker import engine

        sys.argv.remove(WORKER)
        engine.main()
        return
    parser = argparse.ArgumentParser()
    add_model(parser, EngineConfig)
    parser.add_argument("--port", type=int, required=True)
    settings = vars(parser.parse_args())
    port = settings.pop("port")
    api._build_uv_run_cmd_engine = lambda _, config: [sys.executable, __file__, WORKER, *config_to_argv(config)]
    api.app.state.engine_config = EngineConfig(**settings)
    uvicorn.run(api.app, host="127.0.0.1", port=port, log_level="warning")


main()
