"""The shared part of the adapters: certile's package, found next to this folder, and text for runtimes whose strings are text.

Nothing here computes Tile, looks at the elements or repairs a call.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a process with threads cannot be forked
import certile  # noqa: E402

certile.reserve_stdout()  # before a framework is imported, which may print

import numpy as np  # noqa: E402

from certile import NoMemory, Operand, Rejected, Unsupported  # noqa: E402, F401, what adapters import from here

ARRAY_RANK = 64 if int(np.__version__.split(".")[0]) >= 2 else 32  # the limit of NumPy's arrays; a runtime may go further


def array_with_text(operand):
    """The operand's array. Strings become text, byte k as character k, so that nothing is lost and invalid UTF-8 can be asked too."""
    array = operand.array()
    if operand.type != "string":
        return array
    made = np.empty(array.shape, np.object_)
    made.reshape(-1)[:] = [each.decode("latin-1") for each in array.reshape(-1)]
    return made


def array_without_text(kind, made):
    """Returns the output, with text turned back into bytes."""
    made = np.asarray(made)
    if kind != "string":
        return made
    array = np.empty(made.shape, np.object_)
    array.reshape(-1)[:] = [each.encode("latin-1") for each in made.reshape(-1)]
    return array


def unlike(array):
    """Returns an array of this shape and type, all of whose bytes differ, for an output to overwrite."""
    made = np.empty_like(array, order="C")
    np.bitwise_not(array.reshape(-1).view(np.uint8), out=made.reshape(-1).view(np.uint8))
    return made


def refusal(why):
    """Returns the meaning of a runtime's exception: no memory, or else a refusal."""
    text = f"{type(why).__name__}: {why}"
    short = ("Failed to allocate", "bad_alloc", "can't allocate memory", "RESOURCE_EXHAUSTED", "Out of memory")
    return NoMemory(text) if isinstance(why, MemoryError) or any(each in text for each in short) else Rejected(text)


def serve(run, *, infer=None, prepare=None, **claim):
    """Answers certile until it says bye. `run`, `infer` and `prepare` are functions of a `call`."""
    certile.backend(infer=infer, prepare=prepare, **claim)(run).serve(forks=True)
