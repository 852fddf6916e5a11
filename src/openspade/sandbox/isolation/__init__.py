"""The walls, the kernel's doors, and the test of both."""
