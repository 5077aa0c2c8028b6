"""JAX's jax.numpy.tile as a worker, held against openvino-tile-1, which comes closest: both promote data and repeats.

Repeats are passed as Python's integers, which JAX needs while it traces; so only i64 is claimed for them. 64-bit types are enabled.
What it raises is a refusal. Each new pair of shapes is compiled, which takes longer than all else.
"""
from adapting import ARRAY_RANK, np, refusal, serve

import jax
import jax.numpy as jnp

from certile import DTYPES

jax.config.update("jax_enable_x64", True)
TYPES = [each for each in DTYPES if each != "string"]


def operands(call):
    repeats = call.repeats.array().tolist()
    return call.data.array(), tuple(repeats) if isinstance(repeats, list) else repeats


def run(call):
    data, repeats = operands(call)
    try:
        return np.asarray(jnp.tile(data, repeats))
    except Exception as why:
        raise refusal(why) from why


def prepare(call):
    data, repeats = operands(call)
    held, tile = jnp.asarray(data), jax.jit(lambda each: jnp.tile(each, repeats))
    tile(held).block_until_ready()  # compiles it
    return lambda: tile(held).block_until_ready()


serve(run, prepare=prepare, name="jax", version=f"{jax.__version__} ({jax.devices()[0].platform}, XLA)",
      operators=["openvino-tile-1"], types=TYPES, repeats_types=["i64"], max_rank=ARRAY_RANK, issues="https://github.com/jax-ml/jax/issues")
