"""macOS's own wall, for development only: Seatbelt refuses files, network and processes. Not tested on a Mac.

Apple calls `sandbox_init` deprecated and documents no successor for programs outside an app bundle.
"""

from __future__ import annotations

import ctypes

_PROFILE = b"(version 1)(deny default)(allow sysctl-read)"


def enclose() -> None:
    """The calling process can compute and use what it has open; raises OSError when the profile is refused."""
    library = ctypes.CDLL("/usr/lib/libSystem.B.dylib")
    message = ctypes.c_char_p()
    if library.sandbox_init(_PROFILE, 0, ctypes.byref(message)) != 0:
        raise OSError(1, f"sandbox_init: {(message.value or b'refused').decode('utf-8', 'replace')}")
