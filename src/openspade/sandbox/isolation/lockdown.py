"""Builds the walls around a zygote and its children, outermost first, and notes what became of each.

Runs in the zygote, after all imports: behind these walls nothing can be opened. Standard library only.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

from openspade.sandbox.isolation import linux, seatbelt, seccomp

RULESET_FD = 9
_STRANGER_UIDS = range(60_706, 61_184)
"""Numbers that no distribution hands out."""


class Lockdown:
    """`walls` says of each "on", or why it is off; what is missing never stops the others."""

    def __init__(self, settings: Mapping[str, Any], *, control_fd: int) -> None:
        self.walls: dict[str, str] = {}
        self._settings = settings
        self._control_fd = control_fd
        self._on_linux = sys.platform == "linux"
        self._used_bytes = 0
        self._ruleset = False
        self._filter = b""
        self._child_limits: list[linux.Limit] = []

    def enclose_zygote(self) -> None:
        """Everything a fork inherits is done once, here; Landlock and seccomp are prepared for the children."""
        if not self._on_linux:
            self._try("rlimits", self._limit_all)
            return
        linux.offer_to_the_oom_killer()
        # Asked now: behind an empty root there is no /proc to ask.
        self._used_bytes = linux.address_space_bytes()
        self._try("drop_uid", _leave_root)
        self._try("namespaces", self._enter_namespaces)
        # A change of user forgets this one.
        linux.die_with_parent()
        self._try("landlock", self._make_ruleset)
        if self.walls["namespaces"] == "on":
            self._try("capabilities", linux.drop_capabilities)
        self._try("no_new_privs", linux.forbid_new_privileges)
        if self._ruleset:
            self._try("landlock", lambda: linux.landlock_restrict(RULESET_FD))
        self._try("rlimits", self._limit_all)
        self._try("seccomp", self._assemble_filter)
        linux.hide_from_debuggers()

    def enclose_child(self) -> None:
        """A fresh fork's own walls. The filter comes last: it forbids building any other."""
        if not self._on_linux:
            self._try("seatbelt", seatbelt.enclose)
        else:
            linux.die_with_parent()
            linux.hide_from_debuggers()
        if self._ruleset:
            # A domain of its own: no signal and no abstract socket out of it, not even to siblings.
            self._try("landlock", lambda: linux.landlock_restrict(RULESET_FD))
            os.close(RULESET_FD)
        if self.walls["rlimits"] == "on":
            self._note_refused(linux.apply_limits(self._child_limits))
        if self._filter:
            self._try("seccomp", lambda: linux.install_filter(self._filter))

    def _try(self, name: str, build: Callable[[], str | None]) -> None:
        if not self._settings.get(name, True):
            self.walls[name] = "off: not asked for"
            return
        try:
            self.walls[name] = build() or "on"
        except (OSError, ValueError, KeyError, AttributeError) as refusal:
            self.walls[name] = f"off: {refusal}"

    def _enter_namespaces(self) -> None:
        linux.probe_namespaces()
        linux.unshare_everything()
        inner = os.fork()
        if inner:
            # The outer half only waits, so that the host has a process to hold.
            os.closerange(0, self._control_fd + 1)
            linux.die_with_parent()
            os.waitpid(inner, 0)
            os._exit(0)
        linux.die_with_parent()
        linux.empty_root()

    def _make_ruleset(self) -> None:
        ruleset = linux.landlock_ruleset()
        if ruleset != RULESET_FD:
            os.dup2(ruleset, RULESET_FD)
            os.close(ruleset)
        self._ruleset = True

    def _limit_all(self) -> None:
        settings = self._settings
        inherited = linux.zygote_limits(
            used_bytes=self._used_bytes, memory_mb=settings["memory_mb"], stack_mb=settings["stack_mb"]
        )
        refused = linux.apply_limits(inherited)
        self._child_limits = linux.child_limits(cpu_s=settings["lifetime_cpu_s"], open_files=settings["open_files"])
        # One refused limit must not void the others, but without this one memory has no wall.
        if "AS" in refused:
            raise OSError(1, f"the kernel refuses a limit on {', '.join(refused)}")
        self._note_refused(refused)

    def _note_refused(self, limits: list[str]) -> None:
        if limits:
            known = self.walls.get("rlimits_refused", "")
            self.walls["rlimits_refused"] = ", ".join(filter(None, (known, *limits)))

    def _assemble_filter(self) -> str:
        self._filter = seccomp.assemble()
        return "ready"


def _leave_root() -> str | None:
    if os.getuid() != 0:
        return "not needed: not root"
    linux.become(_STRANGER_UIDS[os.getpid() % len(_STRANGER_UIDS)])
    # A changed user makes /proc/self root's own; the uid map could not be written.
    linux.prctl(linux.PR_SET_DUMPABLE, 1)
    return None
