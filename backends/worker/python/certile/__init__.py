"""Tests an implementation of the tensor operator Tile with certile.

    import certile, numpy as np

    @certile.backend(name="mine", version="1", rejects=[ValueError])
    def tile(data, repeats):
        return np.tile(data, repeats)

    if __name__ == "__main__":
        tile.serve()

and then, in a shell: certile certify 'worker:python3 mine.py'
"""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .backends import Backend, backend
    from .elements import DTYPES, INTEGER_TYPES, PACKED_BITS, array_types, dtype_of, pack_bits, unpack_bits
    from .errors import NoMemory, Rejected, Unsupported
    from .operands import Call, Operand, operand_from
    from .program import Certification, certify, find_program, include_dir, spelling_of
    from .records import BackendRun, Record, read_records
    from .serving import reserve_stdout, serve

__version__ = "0.1.0"
__all__ = ["Backend", "BackendRun", "Call", "Certification", "DTYPES", "INTEGER_TYPES", "NoMemory", "Operand", "PACKED_BITS",
           "Record", "Rejected", "Unsupported", "array_types", "backend", "certify", "dtype_of", "find_program", "include_dir",
           "operand_from", "pack_bits", "read_records", "reserve_stdout", "serve", "spelling_of", "unpack_bits"]


def __getattr__(name: str) -> Any:
    """Imports a name when it is used first, because only workers need NumPy."""
    if name in __all__:
        # The modules that need no NumPy first.
        for module in ("errors", "program", "records", "backends", "elements", "operands", "serving"):
            found = getattr(importlib.import_module(f".{module}", __name__), name, None)
            if found is not None:
                globals()[name] = found
                return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
