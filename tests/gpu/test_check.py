"""`gpu/check.py` on a card; skipped without one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA card")


def test_the_engine_keeps_its_promises_on_this_card(tmp_path: Path):
    command = [sys.executable, "-m", "gpu.check", "--size", "small", "--json", str(tmp_path / "found.json")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=480, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "found.json").read_text())["failed"] == []
