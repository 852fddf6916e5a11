"""@{DESIGNS} text environments for verifiers 0.1."""

from .environment import load_environment as load_environment
