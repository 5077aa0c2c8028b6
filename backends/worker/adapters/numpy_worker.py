"""NumPy's tile as a worker: certile certify 'worker:python3 numpy_worker.py'   (needs numpy; uses ml_dtypes if it is installed)

It is held against openvino-tile-1, which comes closest: both promote data and repeats to the longer of the two. The worker corrects
nothing: it passes data and repeats to numpy.tile as arrays of their types, and an exception is a rejection. So NumPy's differences
from the operator show: a scalar as repeats is accepted, a negative repeat is refused, and sizes are multiplied in the type of the
repeats. What is timed gets the repeats as a program writes them, in a list, because numpy.tile takes a third longer with an array.
NumPy has no shape inference. Types narrower than a byte are not claimed, because NumPy keeps each element of them in a byte.
"""
import sys
import warnings
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
import certile  # noqa: E402, the source tree has it near this file, so it need not be installed

tile = certile.backend(
    name="numpy", version=np.__version__, operators=["openvino-tile-1"],
    types=[name for name in certile.array_types() if name not in certile.PACKED_BITS],
    max_rank=64 if int(np.__version__.split(".")[0]) >= 2 else 32,
    prepare=lambda call: partial(np.tile, call.data.array(), call.repeats.array().tolist()),
    rejects=[ValueError, TypeError, OverflowError, IndexError], issues="https://github.com/numpy/numpy/issues")(np.tile)

if __name__ == "__main__":
    warnings.simplefilter("ignore")  # of overflow, which the answer shows
    tile.serve()
