"""The onnx package itself as a worker, held against onnx-tile-13, -6 and -1.

    onnx_worker.py              its reference evaluator, on models of unknown shapes
    onnx_worker.py inference    the same on models of known shapes, after shape inference, whose refusals count

The package's checker checks the models, and its refusals count. Strings are passed as text, byte k as character k. Tile-1 is
not claimed: the evaluator has only the Tile of the later operators.
"""
import sys

from adapting import ARRAY_RANK, Rejected, Unsupported, array_without_text, refusal, serve

import onnx
from onnx import shape_inference
from onnx.reference import ReferenceEvaluator
from onnx_models import TEXT_TYPES, feeds, model, structure

inferring = sys.argv[1:] == ["inference"]
kept: dict = {}


def infer(call):
    try:
        made = shape_inference.infer_shapes(model(call, known=True), check_type=True, strict_mode=True, data_prop=True)
    except shape_inference.InferenceError as why:
        raise Rejected(why) from why
    shape = made.graph.output[0].type.tensor_type.shape.dim
    if not all(each.HasField("dim_value") for each in shape):
        raise Unsupported("it leaves the shape open")
    return [each.dim_value for each in shape]


def evaluator_for(call):
    if inferring:
        return ReferenceEvaluator(model(call, known=True))
    if structure(call) not in kept:
        kept[structure(call)] = ReferenceEvaluator(model(call, known=False))
    return kept[structure(call)]


def run(call):
    if inferring:
        infer(call)
    made, fed = evaluator_for(call), feeds(call, inferring)
    try:
        return array_without_text(call.data.type, made.run(None, fed)[0])
    except Exception as why:
        raise refusal(why) from why


def prepare(call):
    made, fed = evaluator_for(call), feeds(call, inferring)
    return lambda: made.run(None, fed), lambda outputs: array_without_text(call.data.type, outputs[0])


serve(run, infer=infer if inferring else None, prepare=prepare, name="onnx-inference" if inferring else "onnx",
      version=f"{onnx.__version__} (reference evaluator, NumPy)", operators=["onnx-tile-13", "onnx-tile-6"], types=TEXT_TYPES,
      repeats_types=["i64"], max_rank=ARRAY_RANK, issues="https://github.com/onnx/onnx/issues")
