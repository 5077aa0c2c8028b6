"""LiteRT's (TensorFlow Lite's) TILE on the CPU as a worker, held against onnx-tile-13, which comes closest: there must be as many repeats
as dimensions.

The model is one TILE whose repeats are an input; a model is kept for each type, rank and type of repeats, and its input is resized for
each call. No delegate is used: the interpreter's built-in kernels compute. An input without elements is not passed, and an output
without elements is not read, because the interface refuses both; its shape is the interpreter's. What it raises is a refusal.
"""
import importlib.metadata

from adapting import ARRAY_RANK, Operand, Rejected, serve

import flatbuffers
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter, OpResolverType

TYPES = {"boolean": "BOOL", "i8": "INT8", "i16": "INT16", "i32": "INT32", "i64": "INT64", "u8": "UINT8", "u16": "UINT16", "u32": "UINT32",
         "u64": "UINT64", "f16": "FLOAT16", "f32": "FLOAT32", "f64": "FLOAT64", "c64": "COMPLEX64"}
kept: dict = {}


def model(kind, rank, repeats_kind, repeats_shape):
    """The bytes of a model of one TILE."""
    def tensor(name, shape, each):
        made = schema.TensorT()
        made.name, made.shape, made.type, made.buffer = name.encode(), shape, getattr(schema.TensorType, TYPES[each]), 0
        return made
    code, operator, graph, made = schema.OperatorCodeT(), schema.OperatorT(), schema.SubGraphT(), schema.ModelT()
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.TILE
    code.version = 2
    operator.opcodeIndex, operator.inputs, operator.outputs = 0, [0, 1], [2]
    graph.tensors = [tensor("data", [1] * rank, kind), tensor("repeats", repeats_shape, repeats_kind), tensor("out", [1] * rank, kind)]
    graph.inputs, graph.outputs, graph.operators = [0, 1], [2], [operator]
    made.version, made.operatorCodes, made.subgraphs, made.buffers = 3, [code], [graph], [schema.BufferT()]
    builder = flatbuffers.Builder(0)
    builder.Finish(made.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def interpreter_for(call):
    key = (call.data.type, len(call.data.shape), call.repeats.type, tuple(call.repeats.shape))
    if key not in kept:
        kept[key] = Interpreter(model_content=model(key[0], key[1], key[2], list(call.repeats.shape)), num_threads=1,
                                experimental_op_resolver_type=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES)
    return kept[key]


def prepare(call):
    made = interpreter_for(call)
    made.resize_tensor_input(0, call.data.shape)
    made.allocate_tensors()
    for index, operand in enumerate((call.data, call.repeats)):
        array = operand.array()
        if array.size:
            made.set_tensor(index, array)
    return made.invoke, lambda _: output_of(call, made)


def output_of(call, made):
    """A copy of the interpreter's output, which its next call overwrites."""
    shape = made.get_output_details()[0]["shape"].tolist()
    return Operand(call.data.type, shape, b"") if 0 in shape else made.get_tensor(2)


def run(call):
    try:
        invoke, output = prepare(call)
        return output(invoke())
    except (RuntimeError, ValueError) as why:
        kept.clear()  # a failure may leave it incomplete
        raise Rejected(why) from why


serve(run, prepare=prepare, name="litert", version=f"{importlib.metadata.version('ai-edge-litert')} (cpu, built-in kernels)",
      operators=["onnx-tile-13"], types=list(TYPES), repeats_types=["i64"], max_rank=ARRAY_RANK,
      issues="https://github.com/google-ai-edge/LiteRT/issues")
