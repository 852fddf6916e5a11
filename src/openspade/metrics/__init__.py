"""What is measured each cycle, and the catalogue that says of each figure what it is. Every part may use it."""
