"""@{DESIGNS} text environments for GEM."""

from .environment import TextEnvironment as TextEnvironment
from .environment import register as register
