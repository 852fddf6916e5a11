"""The `openspade` command: which commands there are, and how every one of them fails."""

from __future__ import annotations

import logging
import os
import sys
from importlib.metadata import version
from typing import Annotated, NoReturn

import typer

from openspade.cli import (
    check,
    cold_start,
    compare,
    config,
    corpus,
    dashboard,
    doctor,
    evaluate,
    export,
    generate,
    import_,
    memory,
    plan,
    play,
    pretrain,
    recipes,
    report,
    sweep,
    tail,
    train,
)
from openspade.cli.terminal import EventLog, complaints, plain, show
from openspade.errors import OpenSpadeError

EPILOG = (
    "Exit codes: 0 done or accepted, 1 rejected, 2 wrong input or recipe, 3 sandbox, 4 policy, 5 storage, "
    "6 the run cannot go on, 130 or 143 stopped by Ctrl-C or SIGTERM. docs/cli.md has every command with an example."
)
INTERRUPTED = 130
BROKEN_PIPE = 141
TRAINING_PACKAGES = ("torch", "transformers", "safetensors", "tokenizers", "peft", "jaxtyping")
DASHBOARD_PACKAGES = ("starlette", "uvicorn", "pygments")
EXTRAS = {
    **dict.fromkeys(TRAINING_PACKAGES, "train"),
    **dict.fromkeys(DASHBOARD_PACKAGES, "dashboard"),
    "matplotlib": "report",
    "ray": "ray",
}

app = typer.Typer(
    name="openspade",
    help="A language model writes its own training environments and learns by playing them.",
    epilog=EPILOG,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
GROUPS = (
    train,
    recipes,
    check,
    play,
    generate,
    corpus,
    pretrain,
    cold_start,
    report,
    doctor,
    config,
    evaluate,
    export,
    import_,
    memory,
    tail,
    dashboard,
    compare,
    sweep,
    plan,
)
for group in GROUPS:
    group.register(app)


def _show_version(asked: bool) -> None:
    if asked:
        show(f"openspade {version('openspade')}")
        raise typer.Exit


@app.callback()
def options(
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Log events to standard error.")] = False,
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    level = logging.INFO if verbose else logging.WARNING
    logging.basicConfig(level=level, format="%(name)s: %(message)s", handlers=[EventLog()])


def main() -> None:
    """Run a command; what went wrong on our side is one message on standard error and an exit code."""
    try:
        app()
    except OpenSpadeError as error:
        _fail(error)
    except ExceptionGroup as group:
        # Tasks that fail together are told by the first: the others are its echoes.
        ours = group.subgroup(OpenSpadeError)
        if ours is None:
            raise
        _fail(_first(ours))
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        _complain(f"this command needs {error.name}: pip install 'openspade[{extra}]'")
        sys.exit(4)
    except KeyboardInterrupt:
        complaints.print()
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # The reader left (`| head`); Python would complain once more when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(BROKEN_PIPE)


def _fail(error: OpenSpadeError) -> NoReturn:
    _complain(str(error))
    sys.exit(error.exit_code)


def _first(group: ExceptionGroup[OpenSpadeError]) -> OpenSpadeError:
    first = group.exceptions[0]
    return _first(first) if isinstance(first, ExceptionGroup) else first


def _complain(message: str) -> None:
    for line in plain(message).splitlines():
        complaints.print(f"openspade: {line}", soft_wrap=True)
