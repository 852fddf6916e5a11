"""The loggers there are. Each leaves its data on this machine unless the user's own environment says otherwise.

Their packages are imported when one is opened: the core does without.
"""

from __future__ import annotations

import contextlib
import io
import time
from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar

from openspade.config import LoggerName
from openspade.loggers.base import LoggedRun, LoggerKind
from openspade.metrics.metric import ANY
from openspade.metrics.rows import ROWS
from openspade.recipe import flat
from openspade.runview.charts import grouped

PROJECT = "openspade"
MLFLOW_BATCH = 100
"""The most settings that an MLflow server takes at once."""


class TensorboardLogger:
    """Event files in the run's folder `tensorboard`: `tensorboard --logdir runs`."""

    package: ClassVar = "tensorboardX"

    def __init__(self, run: LoggedRun) -> None:
        self.next_cycle = run.next_cycle
        first = run.next_cycle
        # What an earlier process logged beyond the last cycle we know of is purged by whoever reads the files.
        self._writer: Any = import_module(self.package).SummaryWriter(
            str(run.directory / "tensorboard"), purge_step=first or None, filename_suffix=f".from_cycle_{first}"
        )
        if not run.next_cycle:
            rows = "\n".join(f"| {name} | {value} |" for name, value in flat(run.config).items())
            self._writer.add_text("config", f"| setting | value |\n|---|---|\n{rows}", 0)
            # Its tab "Custom scalars" then has the charts that the report and the dashboard have.
            self._writer.add_custom_scalars(
                {"run": {title: ["Multiline", names] for title, names in grouped().items()}}
            )

    def log(self, cycle: int, metrics: Mapping[str, float]) -> None:
        for name, value in metrics.items():
            self._writer.add_scalar(name, value, cycle)
        self._writer.flush()

    def close(self) -> None:
        self._writer.close()


class WandbLogger:
    """Weights & Biases, offline in the run's folder `wandb` (`wandb sync` uploads it) unless WANDB_MODE is set."""

    package: ClassVar = "wandb"

    def __init__(self, run: LoggedRun) -> None:
        wandb: Any = import_module(self.package)
        given = run.environment
        self.next_cycle = run.next_cycle
        self._run = wandb.init(
            project=given.get("WANDB_PROJECT", PROJECT),
            name=given.get("WANDB_NAME", run.name),
            id=run.identity,
            resume="allow",
            mode=given.get("WANDB_MODE", "offline"),
            dir=str(run.directory),
            config=dict(run.config),
            # It must not take over the terminal that the run's own panel uses.
            settings=wandb.Settings(console="off", silent=True, disable_git=True),
        )
        for row in ROWS:
            # A table of runs shows each metric's best; a family's star may only end a name there.
            if row.better != "neither" and ANY not in row.name.removesuffix(ANY):
                self._run.define_metric(row.name, summary="max" if row.better == "higher" else "min")

    def log(self, cycle: int, metrics: Mapping[str, float]) -> None:
        self._run.log(dict(metrics), step=cycle)

    def close(self) -> None:
        self._run.finish()


class MlflowLogger:
    """MLflow, in `mlflow.db` in the run's folder unless MLFLOW_TRACKING_URI is set."""

    package: ClassVar = "mlflow"

    def __init__(self, run: LoggedRun) -> None:
        self._mlflow: Any = import_module(self.package)
        local = f"sqlite:///{run.directory.resolve() / 'mlflow.db'}"
        uri = run.environment.get("MLFLOW_TRACKING_URI", local)
        self._client: Any = self._mlflow.MlflowClient(tracking_uri=uri)
        experiment_id = self._experiment(run.environment.get("MLFLOW_EXPERIMENT_NAME", PROJECT), run)
        self._run_id = self._known_run(experiment_id, run) or self._new_run(experiment_id, run)
        self._client.update_run(self._run_id, status="RUNNING")
        logged = self._client.get_metric_history(self._run_id, "cycle")
        self.next_cycle = max((metric.step for metric in logged), default=-1) + 1

    def log(self, cycle: int, metrics: Mapping[str, float]) -> None:
        now_ms = int(time.time() * 1000)
        # `cycle` goes last and alone: where it stands, the cycle is whole.
        for batch in (metrics, {"cycle": float(cycle)}):
            values = [self._mlflow.entities.Metric(name, value, now_ms, cycle) for name, value in batch.items()]
            self._client.log_batch(self._run_id, metrics=values)

    def close(self) -> None:
        self._client.set_terminated(self._run_id)

    def _experiment(self, name: str, run: LoggedRun) -> str:
        known = self._client.get_experiment_by_name(name)
        artifacts = (run.directory.resolve() / "mlflow_artifacts").as_uri()
        return known.experiment_id if known else self._client.create_experiment(name, artifact_location=artifacts)

    def _known_run(self, experiment_id: str, run: LoggedRun) -> str:
        found = self._client.search_runs([experiment_id], f"tags.openspade_identity = '{run.identity}'")
        return found[0].info.run_id if found else ""

    def _new_run(self, experiment_id: str, run: LoggedRun) -> str:
        tags = {"openspade_identity": run.identity}
        run_id = self._client.create_run(experiment_id, run_name=run.name, tags=tags).info.run_id
        parameters = [self._mlflow.entities.Param(name, str(value)) for name, value in flat(run.config).items()]
        for start in range(0, len(parameters), MLFLOW_BATCH):
            self._client.log_batch(run_id, params=parameters[start : start + MLFLOW_BATCH])
        return run_id


class TrackioLogger:
    """Trackio on this machine (`trackio show --project openspade`) unless TRACKIO_SPACE_ID or _SERVER_URL is set."""

    package: ClassVar = "trackio"

    def __init__(self, run: LoggedRun) -> None:
        self.next_cycle = run.next_cycle
        with contextlib.redirect_stdout(io.StringIO()):  # It greets; standard output is the run's own.
            self._run: Any = import_module(self.package).init(
                project=PROJECT,
                name=f"{run.name}-{run.identity[:4]}",
                resume="allow",
                config={name: str(value) for name, value in flat(run.config).items()},
                embed=False,
                auto_log_cpu=False,
                auto_log_gpu=False,
            )

    def log(self, cycle: int, metrics: Mapping[str, float]) -> None:
        self._run.log(dict(metrics), step=cycle)

    def close(self) -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            self._run.finish()


KINDS: Mapping[LoggerName, LoggerKind] = {
    "tensorboard": TensorboardLogger,
    "wandb": WandbLogger,
    "mlflow": MlflowLogger,
    "trackio": TrackioLogger,
}
