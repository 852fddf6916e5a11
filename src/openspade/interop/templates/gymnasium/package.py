"""@{DESIGNS} text environments for Gymnasium; importing this registers them, and `NAMES` lists them."""

from .environment import NAMES as NAMES
from .environment import TextEnvironment as TextEnvironment
