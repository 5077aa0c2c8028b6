"""JAX's jax.numpy.tile as a worker, held against openvino-tile-1, which comes closest: both promote data and repeats.

Repeats are handed over as Python's integers, which it wants while it traces; so only i64 is claimed for them. 64-bit types are enabled.
What it raises is a refusal. Each new pair of shapes is compiled, which takes longer than
all else.
"""
from serving import DTYPES, Rejected, Unsupported, np, output, serve

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
TYPES = list(DTYPES)


def operands(call):
    if call.data.type not in TYPES:
        raise Unsupported(f"JAX has no type {call.data.type}")
    repeats = call.repeats.array().tolist()
    return call.data.array(), tuple(repeats) if isinstance(repeats, list) else repeats


def refusal(why):
    text = f"{type(why).__name__}: {why}"
    return MemoryError(text) if "RESOURCE_EXHAUSTED" in text or "Out of memory" in text else Rejected(text)


def run(call):
    data, repeats = operands(call)
    try:
        return output(call.data.type, np.asarray(jnp.tile(data, repeats)))
    except Exception as why:
        raise refusal(why) from why


def prepare(call):
    data, repeats = operands(call)
    held, tile = jnp.asarray(data), jax.jit(lambda each: jnp.tile(each, repeats))
    return lambda: tile(held).block_until_ready()


serve({"name": "jax", "version": f"{jax.__version__} ({jax.devices()[0].platform}, XLA)", "operators": ["openvino-tile-1"], "types": TYPES,
       "repeats_types": ["i64"], "issues": "https://github.com/jax-ml/jax/issues"}, run, None, prepare)
