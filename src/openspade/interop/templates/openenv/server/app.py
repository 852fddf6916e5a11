"""The server: `uvicorn server.app:app`, from this package's folder or as @{MODULE}.server.app."""

from __future__ import annotations

import argparse

import uvicorn
from openenv.core.env_server.http_server import create_app

try:
    from ..models import TextAction, TextObservation
    from .environment import TextEnvironment
except ImportError:
    from models import TextAction, TextObservation
    from server.environment import TextEnvironment

app = create_app(TextEnvironment, TextAction, TextObservation, env_name="@{NAME}", max_concurrent_envs=64)


def main() -> None:
    """Serve on `--host` (127.0.0.1) and `--port` (8000)."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    asked = parser.parse_args()
    uvicorn.run(app, host=asked.host, port=asked.port)


if __name__ == "__main__":
    main()
