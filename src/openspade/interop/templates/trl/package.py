"""@{DESIGNS} text environments for TRL's GRPOTrainer."""

from .environment import ENVIRONMENTS as ENVIRONMENTS
from .environment import dataset as dataset
from .environment import score as score
