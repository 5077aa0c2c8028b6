"""Exceptions of a backend without an output: each becomes the status of that name in the worker protocol."""


class Rejected(Exception):
    """The operator, as this implementation sees it, refuses the call: its repeats are no vector, its sizes too large, …"""


class Unsupported(Exception):
    """This implementation does not support the call, whether the operator allows it or not."""


class NoMemory(MemoryError):
    """A resource was missing; Python's own MemoryError means the same."""
