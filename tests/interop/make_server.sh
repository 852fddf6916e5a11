#!/usr/bin/env bash
# SkyRL's Tinker server on a CPU, in a virtual environment of its own (2.2 GB); does nothing where it is there already.
# usage: tests/interop/make_server.sh [FOLDER]    prints the interpreter; FOLDER is ~/.cache/openspade/skyrl-0.4.0
set -euo pipefail
folder="${1:-${XDG_CACHE_HOME:-$HOME/.cache}/openspade/skyrl-0.4.0}"
stamp="$folder/installed"
if [ ! -e "$stamp" ]; then
    python="${PYTHON:-$(for name in python3 python3.11 python3.12 python3.13; do
        "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$name" && break
    done)}"
    echo "Installing SkyRL 0.4.0 into $folder (2.2 GB, some minutes)" >&2
    rm -rf "$folder"
    "$python" -m venv "$folder"
    pip="$folder/bin/python -m pip install --quiet --disable-pip-version-check"
    # SkyRL asks for Python 3.12 and runs on 3.11 too (tests/interop/skyrl_server.py mends one import);
    # its other extras would bring CUDA.
    $pip --no-deps --ignore-requires-python skyrl==0.4.0 >&2
    $pip torch==2.13.0 tinker==0.25.0 transformers==5.16.1 peft==0.18.1 jax==0.10.2 flax==0.12.8 optax==0.2.8 \
        aiohttp aiosqlite cloudpathlib 'datasets>=4' fastapi hf_transfer pillow rich safetensors \
        'sqlalchemy[asyncio]' sqlmodel 'tokenizers>=0.23.1' typer uvicorn xxhash zstandard >&2
    touch "$stamp"
fi
echo "$folder/bin/python"
