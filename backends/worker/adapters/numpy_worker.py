"""NumPy's tile as a worker: certile certify 'worker:python3 numpy_worker.py'   (needs numpy; takes ml_dtypes where it is there)

It is held against openvino-tile-1, which comes closest: both promote data and repeats to the longer of the two. Nothing is done on
NumPy's behalf: data and repeats are handed to numpy.tile as arrays of their own types, and what it raises is a rejection. So where
NumPy differs from the operator, that shows: a scalar as repeats is taken, a negative repeat is refused, and sizes are multiplied in
the type of the repeats. NumPy has no shape inference. Types narrower than a byte are not claimed, since NumPy keeps each element of
them in a byte.
"""
import sys
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
import certile  # noqa: E402, it lies beside this file in the tree, and need not be installed

tile = certile.backend(
    name="numpy", version=np.__version__, operators=["openvino-tile-1"],
    types=[name for name in certile.array_types() if name not in certile.PACKED_BITS],
    max_rank=64 if int(np.__version__.split(".")[0]) >= 2 else 32,
    rejects=[ValueError, TypeError, OverflowError, IndexError], issues="https://github.com/numpy/numpy/issues")(np.tile)

if __name__ == "__main__":
    warnings.simplefilter("ignore")  # of overflow: what comes of it shows in the answer
    tile.serve()
