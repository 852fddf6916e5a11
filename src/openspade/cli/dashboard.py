"""`dashboard`: runs in a browser, beside the training that writes them."""

from __future__ import annotations

import socket
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import typer

from openspade.cli.terminal import screen, show
from openspade.config import secret
from openspade.errors import ConfigError
from openspade.recipe import load
from openspade.sources import RUNS

if TYPE_CHECKING:
    from starlette.applications import Starlette

TOKEN = "OPENSPADE_DASHBOARD_TOKEN"  # noqa: S105 - the name of the variable that holds it
PORT = 8642


def register(app: typer.Typer) -> None:
    app.command()(dashboard)


def dashboard(
    folder: Annotated[
        Path, typer.Argument(metavar="[RUN|FOLDER]", help="A run, or the folder that holds runs.")
    ] = RUNS,
    host: Annotated[
        str, typer.Option(help=f"Address to listen on; others than this machine need {TOKEN}.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 picks a free one.")] = PORT,
    open_browser: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    limits: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="sandbox.KEY=VALUE", help="Limits for programs that are played; may be repeated."
        ),
    ] = None,
) -> None:
    """See runs in the browser: curves, every environment, every episode token by token; play environments yourself.

    It only reads, so a running training is not disturbed, and its pages follow it. Nothing is loaded from elsewhere.
    On another address than 127.0.0.1 it asks for a token: the environment variable OPENSPADE_DASHBOARD_TOKEN.
    Programs are played under your limits, never under those that a run's folder asks for.

    Example: `openspade dashboard runs --open`
    """
    from openspade.dashboard.app import build_app
    from openspade.dashboard.security import is_loopback

    token = secret(TOKEN)
    if not token and not is_loopback(host):
        raise ConfigError(
            f"--host {host} would show runs, and run their programs, for everybody who reaches it: set {TOKEN} "
            f"to a long random text, or listen on 127.0.0.1 and use `ssh -L {port or PORT}:127.0.0.1:{port or PORT}`"
        )
    app = build_app(folder, token=token, sandbox=load(None, limits or []).sandbox)
    with _listen(host, port) as listener:
        address = _address(host, listener.getsockname()[1], token)
        show(f"Dashboard of {folder}; Ctrl-C ends it:")
        screen.print(address, soft_wrap=True)
        if open_browser:
            webbrowser.open(address)
        _serve(app, listener)


def _serve(app: Starlette, listener: socket.socket) -> None:
    import uvicorn

    config = uvicorn.Config(app, log_level="warning", server_header=False, timeout_graceful_shutdown=3)
    uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise ConfigError(
            f"{host}:{port} cannot be listened on ({error.strerror}): choose another --port; 0 picks a free one"
        ) from None


def _address(host: str, port: int, token: str) -> str:
    named = f"[{host}]" if ":" in host else host
    return f"http://{named}:{port}/" + (f"?token={quote(token, safe='')}" if token else "")
