"""OpenVINO's Tile-1 as a worker, held against openvino-tile-1.

    openvino_worker.py              the CPU plugin; repeats are a parameter, no shape is known when the model is compiled: once for
                                    each type, rank and number of repeats
    openvino_worker.py repeats      the same for few types of data, but every integer type of repeats
    openvino_worker.py constant     the CPU plugin; repeats are a constant and shapes are known: compiled for every call
    openvino_worker.py narrow       as without a word, for packed types that the plugin accepts without having code for them
    openvino_worker.py reference    no plugin: the operator's own `evaluate`, with which OpenVINO folds constants
    openvino_worker.py template     the TEMPLATE plugin, which runs `evaluate` on models, if the installation has it; the wheel has not

The worker corrects nothing: an exception is OpenVINO's refusal, and a failed allocation is one of memory. The operator itself
infers shapes, from constant repeats; with repeats as a parameter nothing can be inferred before the plugin computes. The worker
detects the layout of packed types at start, because releases differ. The
CPU plugin does not take u1, u3, u6, nf4, complex numbers and strings (strings exist in OpenVINO; the plugin refuses models with
them), and it corrupts its memory with u2 and f4e2m1, which are therefore asked under a separate name. It computes i64 and u64
as i32, and f64 and f16 as f32, which shows. The path that a model takes is printed on standard error.
"""
import collections
import functools
import os
import sys

from adapting import Operand, Unsupported, array_with_text, array_without_text, np, refusal, serve, unlike

# The module reports every import to OpenVINO's makers, in a thread.  None forbids its import, which the type of sys.modules
# does not allow for.
sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]
import openvino as ov  # noqa: E402
from openvino import opset1  # noqa: E402
from openvino_layouts import COUNT, WIDTHS, layout_of  # noqa: E402

EVERY = ("boolean bf16 f16 f32 f64 i4 i8 i16 i32 i64 u1 u2 u3 u4 u6 u8 u16 u32 u64 nf4 f8e4m3 f8e5m2 f8e8m0 f4e2m1 string").split()
NARROW = ["u2", "f4e2m1"]
CPU = [each for each in EVERY if each not in ("u1", "u3", "u6", "nf4", "string", *NARROW)]
REPEATS = "i4 i8 i16 i32 i64 u4 u8 u16 u32 u64".split()
# The claim of each way. Every pair of types is a model to compile, so the ways divide the pairs.
CLAIMS = {"parameter": (CPU, ["i32", "i64"]), "repeats": (["f32", "u8"], REPEATS), "constant": (["f32", "i32", "u8"], ["i64"]),
          "narrow": (NARROW, ["i64"]), "reference": (EVERY, REPEATS), "template": (EVERY, REPEATS)}
KEPT = 100  # each model has two threads, whose stacks would take all of a worker's memory if there were hundreds of models
STOP = "."  # after every string, because the binding loses trailing NULs

way = sys.argv[1] if len(sys.argv) > 1 else "parameter"
device = "TEMPLATE" if way == "template" else "CPU"
core = ov.Core()
core.get_property("CPU", "FULL_DEVICE_NAME")  # loads the plugin, once for all lives; no thread is started before a model is compiled
kept: collections.OrderedDict = collections.OrderedDict()  # requests, or nodes, by the key of their calls


def element_type(name):
    if not hasattr(ov.Type, name):
        raise Unsupported(f"OpenVINO has no type {name}")
    return getattr(ov.Type, name)


def decoded(kind, stored):
    """Returns a number for each element that OpenVINO decodes from these bytes of a packed type: the bits of its f32."""
    packed = ov.Tensor(element_type(kind), ov.Shape([COUNT]))
    if packed.data.nbytes != stored.size:
        raise LookupError(f"{COUNT} elements of {kind} take {packed.data.nbytes} bytes, not {stored.size}")
    packed.data.reshape(-1).view(np.uint8)[:] = stored
    made = [ov.Tensor(ov.Type.f32, ov.Shape([COUNT]))]
    if not opset1.convert(opset1.parameter(ov.PartialShape([-1]), element_type(kind)), "f32").evaluate(made, [packed]):
        raise LookupError(f"{kind} is not converted to f32")
    return made[0].data.view(np.uint32).tolist()


def find_layouts(kinds):
    """Returns OpenVINO's layout of each packed type among these, None if it is unknown."""
    found = {}
    for kind in [each for each in kinds if each in WIDTHS and hasattr(ov.Type, each)]:
        try:
            found[kind] = layout_of(kind, functools.partial(decoded, kind))
            print(f"{kind}: {found[kind].name}", file=sys.stderr)
        except (LookupError, RuntimeError) as why:
            found[kind] = None
            print(f"{kind} is not claimed, because its layout is unknown: {why}", file=sys.stderr)
    return found


layouts = find_layouts(sorted({*CLAIMS[way][0], *CLAIMS[way][1]}))


def tensor(operand):
    """Returns a tensor that owns a copy of the bytes."""
    made = ov.Tensor(element_type(operand.type), ov.Shape(operand.shape))
    if made.size and operand.type == "string":
        texts = [each + STOP for each in array_with_text(operand).reshape(-1)]
        made.str_data = np.array(texts, np.str_).reshape(operand.shape)
    elif made.size:
        layout = layouts.get(operand.type)
        stored = layout.stored(operand.content) if layout else np.frombuffer(operand.content, np.uint8)
        made.data.reshape(-1).view(np.uint8)[:] = stored
    return made


def output_of(kind, made):
    if not made.size:
        return Operand(kind, list(made.shape), bytes(8) if kind == "string" else b"")
    if kind == "string":
        texts = np.array([each.removesuffix(STOP) for each in made.str_data.reshape(-1)], np.object_)
        return array_without_text(kind, texts.reshape(made.str_data.shape))
    stored = np.ascontiguousarray(made.data).reshape(-1).view(np.uint8)
    layout = layouts.get(kind)
    return Operand(kind, list(made.shape), layout.content(made.size, stored) if layout else stored.tobytes())


def tile(call, known):
    """Returns the Tile node and the model's parameters; with `known` shapes repeats are a constant."""
    shape = list(call.data.shape) if known else [-1] * len(call.data.shape)
    data = opset1.parameter(ov.PartialShape(shape), element_type(call.data.type))
    if known:
        return opset1.tile(data, ov.op.Constant(tensor(call.repeats))), [data]
    repeats = opset1.parameter(ov.PartialShape(list(call.repeats.shape)), element_type(call.repeats.type))
    return opset1.tile(data, repeats), [data, repeats]


def keep(call, make):
    key = (call.data.type, len(call.data.shape), call.repeats.type, tuple(call.repeats.shape))
    if key not in kept:
        kept[key] = make()
        if len(kept) > KEPT:
            kept.popitem(last=False)
    return kept[key]


def model_of(node, parameters):
    """Returns the model with named nodes, because the default names count all nodes of a process and defeat OpenVINO's cache."""
    result = opset1.result(node)
    for each, name in zip((result, node, *parameters), ("out", "tile", "data", "repeats")):
        each.set_friendly_name(name)
    return ov.Model([result], parameters, "tile")


def compiled(call, known):
    node, parameters = tile(call, known)
    options: dict[str, object] = {"INFERENCE_NUM_THREADS": 1}
    if not known:  # OpenVINO's cache: after a crash, a new life reads a model in 3 ms instead of compiling it in 15
        options["CACHE_DIR"] = os.path.join(sys.prefix, "compiled-models")
    made = core.compile_model(model_of(node, parameters), device, options)
    if not known:
        path = [f"{each.get_rt_info()['layerType'].value} {each.get_rt_info()['primitiveType'].value}"
                for each in made.get_runtime_model().get_ordered_ops() if "primitiveType" in each.get_rt_info()]
        print(f"{device}, {call.data.type} rank {len(call.data.shape)}, repeats {call.repeats.type}: {', '.join(path)}", file=sys.stderr)
    return made.create_infer_request()


def infer(call):
    try:
        return list(tile(call, known=True)[0].output(0).get_shape())
    except RuntimeError as why:
        raise refusal(why) from why


def evaluation(call):
    """Returns a function that computes by the reference, with which OpenVINO folds constants, and returns the tensor."""
    node = keep(call, lambda: tile(call, known=False)[0])
    out, fed = [ov.Tensor(element_type(call.data.type), ov.Shape([]))], [tensor(call.data), tensor(call.repeats)]

    def evaluate():
        if not node.evaluate(out, fed):
            raise Unsupported("Tile has no evaluate for this")
        return out[0]
    return evaluate


def request_for(call):
    """Returns a request with its inputs set."""
    if way != "narrow" and call.data.type in NARROW:
        raise Unsupported("the plugin writes outside its buffers with this type; openvino-narrow shows it")
    known = way == "constant"
    request = compiled(call, known) if known else keep(call, lambda: compiled(call, known))
    request.set_input_tensor(0, tensor(call.data))
    if not known:
        request.set_input_tensor(1, tensor(call.repeats))
    return request


def run(call):
    try:
        if way == "reference":
            return output_of(call.data.type, evaluation(call)())
        request = request_for(call)
        request.infer()
        return output_of(call.data.type, request.get_output_tensor(0))
    except RuntimeError as why:
        raise refusal(why) from why


def prepare(call):
    try:
        if way == "reference":
            return evaluation(call), lambda made: output_of(call.data.type, made)
        request = request_for(call)
        request.infer()
        first = request.get_output_tensor(0)
        if first.size:
            first.data[...] = unlike(first.data)
        # The output stays in the plugin's own memory, into which each call computes it: with unknown shapes the plugin would copy it from
        # there to a tensor that is bound, and without share_outputs the binding would copy it to an array.
        return lambda: request.infer(share_outputs=True), lambda _: output_of(call.data.type, request.get_output_tensor(0))
    except RuntimeError as why:
        raise refusal(why) from why


def told(kinds):
    """Returns the types whose bytes OpenVINO and the protocol can exchange."""
    return [each for each in kinds if layouts.get(each, True) is not None]


if device == "TEMPLATE" and device not in core.available_devices:
    sys.exit("this installation of OpenVINO has no TEMPLATE plugin; its devices are " + ", ".join(core.available_devices))
serve(run, infer=infer if way in ("constant", "reference", "template") else None, prepare=prepare,
      name="openvino" if way == "parameter" else "openvino-" + way,
      version=f"{ov.get_version()} ({'reference, no device' if way == 'reference' else device})", operators=["openvino-tile-1"],
      types=told(CLAIMS[way][0]), repeats_types=told(CLAIMS[way][1]), max_rank=0 if way in ("reference", "template") else 32,
      issues="https://github.com/openvinotoolkit/openvino/issues")
