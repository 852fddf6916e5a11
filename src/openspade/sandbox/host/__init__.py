"""The trainer's side of the wall: workers, children, messages, deadlines."""
