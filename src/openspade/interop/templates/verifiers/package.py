"""@{DESIGNS} text environments for verifiers 0.4."""

from .environment import DesignEnv, Designs

__all__ = ["DesignEnv", "Designs"]
