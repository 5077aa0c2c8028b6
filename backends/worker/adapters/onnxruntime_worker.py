"""ONNX Runtime's Tile on the CPU, held against onnx-tile-13, -6 and -1.

    onnxruntime_worker.py               repeats are an input, no shape is known when the session is made: one session for each operator,
                                        type and rank
    onnxruntime_worker.py initializer   repeats are an initializer and data's shape is known: a session for every call

Models are ONNX files as the onnx package writes them and its checker accepts them. The worker corrects nothing: exceptions of the
runtime are refusals, and a missing kernel is unsupported. When it starts, it tries every type that the operators' texts list, and
claims those that work; if the optimizer adds nodes to Tile, the version names them. The runtime has no shape inference to call. The
operators are tried in the same way: there is no kernel for Tile-1, which is not claimed. Strings are passed as text, byte k as
character k.
"""
import os
import sys
import tempfile

from adapting import ARRAY_RANK, Operand, Rejected, Unsupported, array_without_text, refusal, serve, unlike

import onnx
import onnxruntime
from onnx_models import OPSETS, TEXT_TYPES, feeds, model, structure

from certile import Call

way = sys.argv[1] if len(sys.argv) > 1 else "input"
provider = "CPUExecutionProvider"
onnxruntime.set_default_logger_severity(4)
kept: dict = {}


def session(content, options=None):
    options = options or onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    try:
        return onnxruntime.InferenceSession(content, options, providers=[provider])
    except Exception as why:
        if "NOT_IMPLEMENTED" in str(why) or "not currently registered" in str(why) or "Could not find an implementation" in str(why):
            raise Unsupported(why) from why
        raise Rejected(why) from why


def session_for(call):
    if way == "initializer":
        return session(model(call, known=True).SerializeToString())
    if structure(call) not in kept:
        kept[structure(call)] = session(model(call, known=False).SerializeToString())
    return kept[structure(call)]


def run(call):
    made, fed = session_for(call), feeds(call, way == "initializer")
    try:
        return array_without_text(call.data.type, made.run(None, fed)[0])
    except Exception as why:
        raise refusal(why) from why


class Bound:
    """A session bound to its input and output arrays, which must live as long, because the runtime only has their addresses."""

    def __init__(self, made, fed, out):
        self.session, self.fed, self.out, self.binding = made, fed, out, made.io_binding()
        for name, array in fed.items():
            self.binding.bind_cpu_input(name, array)
        self.binding.bind_output("out", "cpu", 0, out.dtype, out.shape, out.ctypes.data)

    def run(self):
        self.session.run_with_iobinding(self.binding)

    def output(self, _):
        return self.out


def prepare(call):
    made, fed = session_for(call), feeds(call, way == "initializer")
    if call.data.type == "string":
        return lambda: made.run(None, fed), lambda outputs: array_without_text("string", outputs[0])
    bound = Bound(made, fed, unlike(made.run(None, fed)[0]))
    return bound.run, bound.output


def path(operator, kind):
    """Returns the nodes of the optimized model of this type; or none, and why there is no kernel."""
    with tempfile.TemporaryDirectory() as folder:
        options = onnxruntime.SessionOptions()
        options.optimized_model_filepath = os.path.join(folder, "optimized.onnx")
        try:
            axis = Operand("i64", [], b"") if operator == "onnx-tile-1" else None
            call = Call(operator, Operand(kind, [1], b""), Operand("i64", [] if axis else [1], b""), axis)
            session(model(call, known=False).SerializeToString(), options)
        except (Unsupported, Rejected) as why:
            return [], str(why).splitlines()[0]
        return [each.op_type for each in onnx.load(options.optimized_model_filepath).graph.node], ""


def ask_types():
    """Returns the types with a kernel, and a note on those that other nodes than Tile compute."""
    claimed, detours = [], []
    for kind in TEXT_TYPES:
        nodes, why = path("onnx-tile-13", kind)
        if not nodes:
            print(f"{provider}: {kind} is not claimed: {why}", file=sys.stderr)
            continue
        claimed.append(kind)
        if nodes != ["Tile"]:
            detours.append(f"{kind} by {', '.join(nodes)}")
    return claimed, "".join("; " + each for each in detours)


types, detours = ask_types()
operators = [each for each in OPSETS if path(each, "f32")[0]]
serve(run, prepare=prepare, name="onnxruntime" if way == "input" else "onnxruntime-" + way,
      version=f"{onnxruntime.__version__} ({provider}{detours})", operators=operators, types=types, repeats_types=["i64"],
      max_rank=ARRAY_RANK, max_bytes=2**32,  # of the output; the runtime's own limit
      issues="https://github.com/microsoft/onnxruntime/issues")
