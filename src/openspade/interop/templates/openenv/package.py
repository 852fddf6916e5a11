"""@{DESIGNS} text environments for OpenEnv."""

from .client import TextEnv as TextEnv
from .models import Call as Call
from .models import TextAction as TextAction
from .models import TextObservation as TextObservation
