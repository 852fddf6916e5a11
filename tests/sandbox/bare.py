"""The attacks as they fare without any wall, by `exec` in the trainer's own process: prints what they reach.

Each gets a trainer of its own, a fork, so that what kills one leaves the rest. Run it as an ordinary user only.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import sys

from tests.sandbox.arena import ATTACKS, Canaries, all_attacks

_HANG_S = 0.5
# It would kill everything this user runs, the judge included.
_LEFT_OUT = ("p05_kill_all",)


def _be_the_trainer(source: str, report_fd: int) -> None:
    null = os.open("/dev/null", os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        namespace: dict[str, object] = {"__name__": "environment_program"}
        exec(compile(source, "environment_program", "exec"), namespace)
        environment = namespace["Env"]()  # type: ignore[operator]
        environment.reset(seed=0)
        observation, reward, *_ = environment.step("go")
        said = [str(observation)[:500], 0.0 <= float(reward) <= 1.0]
    except Exception as error:  # noqa: BLE001
        said = [f"{type(error).__name__}: {error}"[:500], True]
    os.write(report_fd, json.dumps(said).encode())
    os._exit(0)


def success_of(name: str, canaries: Canaries) -> str:
    """What the attack reached, "" when nothing."""
    reader, writer = os.pipe()
    trainer = os.fork()
    if not trainer:
        os.close(reader)
        try:
            _be_the_trainer(canaries.arm((ATTACKS / f"{name}.py").read_text()), writer)
        finally:
            os._exit(1)
    os.close(writer)
    ready, _, _ = select.select([reader], [], [], _HANG_S)
    said = os.read(reader, 4096) if ready else b""
    os.close(reader)
    os.kill(trainer, signal.SIGKILL)
    os.waitpid(trainer, 0)
    touched = canaries.touched()
    if not ready:
        return "the trainer hung"
    if not said:
        return "the trainer died"
    try:
        text, reward_accepted = json.loads(said)
    except ValueError:
        return "the trainer's own modules were changed"
    if not reward_accepted:
        return "a reward out of range was taken"
    return canaries.gives_away(text) or touched


def main() -> None:
    names = json.loads(sys.argv[1]) if len(sys.argv) > 1 else all_attacks()
    with Canaries() as canaries:
        reached = {name: success_of(name, canaries) for name in names if name not in _LEFT_OUT}
    sys.stdout.write(json.dumps({name: what for name, what in reached.items() if what}))


if __name__ == "__main__":
    main()
