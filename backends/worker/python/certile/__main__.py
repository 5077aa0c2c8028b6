"""Backends by their Python names.

    python -m certile serve BACKEND               be the worker that certile asks
    python -m certile check BACKEND               certile worker-check: does it speak the protocol, and compute the simplest cases?
    python -m certile certify BACKEND [OPTION…]   certile certify, with its options

BACKEND is FILE.py:NAME or MODULE:NAME, the name of a certile.backend.
"""
from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from typing import Any

from .backends import Backend
from .program import find_program, spelling_of
from .serving import reserve_stdout


def load(spelling: str) -> Backend:
    """Returns the backend of FILE.py:NAME or MODULE:NAME. Raises ImportError or LookupError if there is none."""
    place, _, name = spelling.rpartition(":")
    if place.endswith(".py"):
        sys.path.insert(0, os.path.dirname(os.path.abspath(place)))  # as if the file had been started
        found = importlib.util.spec_from_file_location("certile_backend_file", place)
        if found is None or found.loader is None or not os.path.isfile(place):
            raise ImportError(f"there is no file {place}")
        module: Any = importlib.util.module_from_spec(found)
        sys.modules[found.name] = module
        found.loader.exec_module(module)
    else:
        sys.path.insert(0, os.getcwd())
        module = importlib.import_module(place)
    backend = getattr(module, name, None)
    if not isinstance(backend, Backend):
        raise LookupError(f"{place} has no backend {name}: a function under @certile.backend(…)")
    return backend


def main(arguments: list[str]) -> int:
    """Runs the command line. Returns the exit code, certile's if certile ran."""
    if len(arguments) < 2 or arguments[0] not in ("serve", "check", "certify"):
        print(__doc__, file=sys.stderr)
        return 2
    command, backend, *options = arguments
    if command == "serve":
        reserve_stdout()
        load(backend).serve()
        return 0
    try:
        program = str(find_program())
    except FileNotFoundError as why:
        print(f"certile: {why}", file=sys.stderr)
        return 4
    spelling = spelling_of(backend)
    words = ["worker-check", spelling[len("worker:"):]] if command == "check" else ["certify", spelling, *options]
    sys.stdout.flush()
    os.execv(program, [program, *words])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
