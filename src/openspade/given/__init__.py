"""Environments of other projects as base classes of ours: a program that imports one is played like any other.

`reasoning_gym` and `rlve` are imported in a zygote of the sandbox only, each with the whole of its package; the modules
`..._pool` are what the host knows of their environments without loading them.
"""
