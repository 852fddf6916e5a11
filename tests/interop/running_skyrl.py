"""A SkyRL server for the tests: a tiny random Qwen3, its replies short, on a port of its own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from openspade.engine.chat.chat import TemplateChat
from openspade.engine.model.loading import Policy, write_chat
from tests.tiny_models import byte_chat, tiny_qwen3

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "openspade"
INTERPRETER = CACHE / "skyrl-0.4.0" / "bin" / "python"
LAUNCHER = Path(__file__).with_name("skyrl_server.py")
START_TIMEOUT_S = 180
ENDS = range(200, 257)
"""A random model would hardly ever write its one end of turn, so every fifth token is one."""
BACKEND = {"max_lora_adapters": 16, "max_lora_rank": 16, "sample_max_num_sequences": 8, "train_micro_batch_size": 1}
"""Batches of one shape each: JAX compiles a shape for seconds."""


@dataclass(frozen=True, kw_only=True)
class Server:
    """Where it listens, and the folder of the model it serves."""

    url: str
    model: Path


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """Runs while the block does."""
    model, port = folder / "model", _free_port()
    policy = tiny_qwen3()
    policy.save_pretrained(model)
    chat = byte_chat()
    many_ends = TemplateChat(chat.tokenizer, chat.renderer.template, context_tokens=512, stop_ids=ENDS)
    write_chat(Policy(model=policy, chat=many_ends, folder=None), model)
    with (folder / "server.log").open("w") as log:
        process = subprocess.Popen(
            _command(model, folder, port), env=_environment(), stdout=log, stderr=log, start_new_session=True
        )
        try:
            _wait_for(f"http://127.0.0.1:{port}", process, folder / "server.log")
            yield Server(url=f"http://127.0.0.1:{port}", model=model)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _command(model: Path, folder: Path, port: int) -> list[str]:
    settings = {
        "--port": str(port),
        "--base-model": str(model),
        "--backend": "jax",
        "--backend-config": json.dumps(BACKEND),
        "--checkpoints-base": str(folder / "checkpoints"),
        "--database-url": f"sqlite:///{folder / 'server.db'}",
    }
    return [str(INTERPRETER), str(LAUNCHER), *(word for pair in settings.items() for word in pair)]


def _environment() -> dict[str, str]:
    """One thread, no optimisation, and what was compiled once is kept."""
    flags = "--xla_cpu_multi_thread_eigen=false --xla_backend_optimization_level=0"
    return dict(os.environ) | {
        "JAX_PLATFORMS": "cpu",
        "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
        "XLA_FLAGS": f"{flags} --xla_llvm_disable_expensive_passes=true intra_op_parallelism_threads=1",
        "JAX_COMPILATION_CACHE_DIR": str(CACHE / "jax"),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < until and process.poll() is None:
        try:
            httpx.get(f"{url}/api/v1/healthz", timeout=5).raise_for_status()
            return
        except httpx.HTTPError:
            time.sleep(0.5)
    raise AssertionError(f"SkyRL's server did not start:\n{log.read_text()[-3000:]}")
