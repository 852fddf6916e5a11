"""Which designs are alike, and which of them to show or to find."""
