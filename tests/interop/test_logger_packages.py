"""The loggers' own packages, asked what they hold. Each test needs its package; CI has tensorboardX."""

from __future__ import annotations

import importlib
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from openspade.loggers.base import LoggedRun, Logger
from openspade.loggers.kinds import KINDS

Written = Mapping[int, list[float]]


def subject(folder: Path, next_cycle: int = 0, **environment: str) -> LoggedRun:
    return LoggedRun(
        name="nano",
        directory=folder,
        identity="ab12cd34",
        config={"run": {"seed": 1}},
        next_cycle=next_cycle,
        environment=environment,
    )


def log(logger: Logger, cycles: range) -> None:
    for cycle in cycles:
        logger.log(cycle, {"regret/mean": cycle / 4})
    logger.close()


def killed_and_resumed(kind: str, folder: Path) -> None:
    """Five cycles; the first process was killed after it logged cycle 2 and before that was noted down."""
    log(KINDS[kind](subject(folder)), range(3))
    resumed = KINDS[kind](subject(folder, next_cycle=2))
    log(resumed, range(resumed.next_cycle, 5))


def tensorboard_values(folder: Path) -> Written:
    """What a reader shows: a session that starts at a step purges what earlier ones said from there on."""
    events: Any = importlib.import_module("tensorboardX.proto.event_pb2")
    values: dict[int, list[float]] = {}
    for file in sorted((folder / "tensorboard").glob("events.*")):
        content = file.read_bytes()
        while content:
            (length,) = struct.unpack("<Q", content[:8])
            event = events.Event.FromString(content[12 : 12 + length])
            content = content[16 + length :]
            if event.session_log.status == event.session_log.START and event.HasField("session_log"):
                values = {step: found for step, found in values.items() if step < event.step}
            for value in event.summary.value:
                if value.tag == "regret/mean":
                    values.setdefault(event.step, []).append(value.simple_value)
    return values


def mlflow_values(folder: Path) -> Written:
    client: Any = importlib.import_module("mlflow").MlflowClient(f"sqlite:///{folder / 'mlflow.db'}")
    (experiment,) = [found for found in client.search_experiments() if found.name == "openspade"]
    (run,) = client.search_runs([experiment.experiment_id])
    assert run.data.params == {"run.seed": "1"}
    values: dict[int, list[float]] = {}
    for metric in client.get_metric_history(run.info.run_id, "regret/mean"):
        values.setdefault(metric.step, []).append(metric.value)
    return values


def wandb_values(folder: Path) -> Written:
    record: Any = importlib.import_module("wandb.proto.wandb_internal_pb2")
    values: dict[int, list[float]] = {}
    for file in sorted(folder.glob("*/wandb/offline-run-*-ab12cd34/*.wandb")):
        for content in leveldb_records(file.read_bytes()):
            history = record.Record.FromString(content).history
            for item in history.item:
                if "regret/mean" in (item.key, *item.nested_key):
                    # The last word on a step counts: a server refuses a step that it has gone past.
                    values[history.step.num] = [float(item.value_json)]
    return values


def leveldb_records(content: bytes) -> Iterator[bytes]:
    """Records of a LevelDB log: seven bytes of head (checksum, length, type) before each, in blocks of 32 KiB."""
    place, whole = 7, b""
    while place + 7 <= len(content):
        length, kind = struct.unpack("<HB", content[place + 4 : place + 7])
        if kind == 0:
            place += 32768 - place % 32768
            continue
        whole += content[place + 7 : place + 7 + length]
        place += 7 + length
        if kind in (1, 4):
            yield whole
            whole = b""
        if 32768 - place % 32768 < 7:
            place += 32768 - place % 32768


FIVE = {cycle: [cycle / 4] for cycle in range(5)}


def test_a_killed_and_resumed_run_stands_once_and_whole_in_tensorboard(tmp_path: Path):
    pytest.importorskip("tensorboardX")
    killed_and_resumed("tensorboard", tmp_path)
    assert tensorboard_values(tmp_path) == FIVE


def test_a_killed_and_resumed_run_stands_once_and_whole_in_mlflow(tmp_path: Path):
    pytest.importorskip("mlflow")
    killed_and_resumed("mlflow", tmp_path)
    assert mlflow_values(tmp_path) == FIVE


def test_a_killed_and_resumed_run_stands_once_and_whole_in_wandb(tmp_path: Path):
    wandb = pytest.importorskip("wandb")
    # Two folders: wandb names a session by the second in which it begins.
    log(KINDS["wandb"](subject(tmp_path / "first")), range(3))
    log(KINDS["wandb"](subject(tmp_path / "second", next_cycle=2)), range(2, 5))
    wandb.teardown()  # As a process does at its end: its service then brings all to disk.
    assert wandb_values(tmp_path) == FIVE


def test_trackio_keeps_a_resumed_run_on_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any):
    monkeypatch.setenv("TRACKIO_DIR", str(tmp_path))
    pytest.importorskip("trackio")
    log(KINDS["trackio"](subject(tmp_path)), range(3))
    log(KINDS["trackio"](subject(tmp_path, next_cycle=3)), range(3, 5))
    storage: Any = importlib.import_module("trackio.sqlite_storage").SQLiteStorage
    rows = storage.get_logs("openspade", "nano-ab12")
    assert [(row["step"], row["regret/mean"]) for row in rows] == [(cycle, cycle / 4) for cycle in range(5)]
    assert capsys.readouterr().out == ""


def test_nothing_leaves_the_runs_folder(tmp_path: Path):
    pytest.importorskip("tensorboardX")
    killed_and_resumed("tensorboard", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["tensorboard"]


def test_tensorboard_is_told_which_metrics_stand_together(tmp_path: Path):
    pytest.importorskip("tensorboardX")
    layout: Any = importlib.import_module("tensorboardX.proto.layout_pb2")
    log(KINDS["tensorboard"](subject(tmp_path)), range(1))
    (file,) = (tmp_path / "tensorboard").glob("events.*")
    assert b"custom_scalars" in file.read_bytes()
    charts = layout.Layout.FromString(custom_scalars(file)).category[0].chart
    assert [*{chart.title: chart for chart in charts}["Solve rates"].multiline.tag] == [
        "designs/solve_rate_unaided",
        "designs/solve_rate_hinted",
    ]


def custom_scalars(file: Path) -> bytes:
    events: Any = importlib.import_module("tensorboardX.proto.event_pb2")
    content = file.read_bytes()
    while content:
        (length,) = struct.unpack("<Q", content[:8])
        for value in events.Event.FromString(content[12 : 12 + length]).summary.value:
            if value.metadata.plugin_data.plugin_name == "custom_scalars":
                return value.tensor.string_val[0]
        content = content[16 + length :]
    return b""
