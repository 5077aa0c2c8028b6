"""Models of one Tile, written by the onnx package and accepted by its checker."""
from adapting import Rejected, Unsupported, array_with_text

import onnx
from onnx import TensorProto, helper, numpy_helper

OPSETS = {"onnx-tile-13": 13, "onnx-tile-6": 6, "onnx-tile-1": 1}
TYPES = {"boolean": "BOOL", "bf16": "BFLOAT16", "f16": "FLOAT16", "f32": "FLOAT", "f64": "DOUBLE", "i4": "INT4", "i8": "INT8",
         "i16": "INT16", "i32": "INT32", "i64": "INT64", "u2": "UINT2", "u4": "UINT4", "u8": "UINT8", "u16": "UINT16", "u32": "UINT32",
         "u64": "UINT64", "f8e4m3": "FLOAT8E4M3FN", "f8e5m2": "FLOAT8E5M2", "f8e8m0": "FLOAT8E8M0", "f4e2m1": "FLOAT4E2M1",
         "string": "STRING", "c64": "COMPLEX64", "c128": "COMPLEX128"}
TEXT_TYPES = ["boolean", "bf16", "f16", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "string", "c64", "c128"]


def onnx_type(kind):
    if kind not in TYPES:
        raise Unsupported(f"ONNX has no type {kind}")
    return getattr(TensorProto, TYPES[kind])


def model(call, known):
    """A model of this call. With `known` shapes data's is in it, and its second input is an initializer.

    Raises Rejected if onnx itself refuses it.
    """
    shape = list(call.data.shape) if known else [None] * len(call.data.shape)
    second = "repeats" if call.axis is None else "tiles"
    inputs = [helper.make_tensor_value_info("data", onnx_type(call.data.type), shape)]
    constants = []
    if known:
        constants.append(numpy_helper.from_array(call.repeats.array(), second))
    else:
        inputs.append(helper.make_tensor_value_info(second, onnx_type(call.repeats.type), list(call.repeats.shape)))
    if call.axis is not None:
        inputs.append(helper.make_tensor_value_info("axis", onnx_type(call.axis.type), list(call.axis.shape)))
    names = ["data", second] + (["axis"] if call.axis is not None else [])
    out = helper.make_tensor_value_info("out", onnx_type(call.data.type), [None] * len(shape))
    graph = helper.make_graph([helper.make_node("Tile", names, ["out"])], "tile", inputs, [out], constants)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSETS[call.operator])], ir_version=8, producer_name="certile")
    try:
        onnx.checker.check_model(made)
    except onnx.checker.ValidationError as why:
        raise Rejected(why) from why
    return made


def structure(call):
    """Returns the properties of a call that decide its model of unknown shapes."""
    return (call.operator, call.data.type, len(call.data.shape), call.repeats.type, tuple(call.repeats.shape),
            None if call.axis is None else (call.axis.type, tuple(call.axis.shape)))


def feeds(call, known):
    """Returns the inputs of that model."""
    fed = {"data": array_with_text(call.data)}
    if not known:
        fed["repeats" if call.axis is None else "tiles"] = call.repeats.array()
    if call.axis is not None:
        fed["axis"] = call.axis.array()
    return fed
