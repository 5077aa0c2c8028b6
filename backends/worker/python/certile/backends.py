"""Makes a function a backend, with a claim and a way to call it."""
from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import partial
from typing import Any, Callable, Union

from .elements import INTEGER_TYPES, PACKED_BITS, array_types, dtype_of
from .operands import Call

OPERATORS = ("openvino-tile-1", "onnx-tile-1", "onnx-tile-6", "onnx-tile-13", "array-api-tile")
Function = Callable[..., Any]
Timed = Callable[[], Any]
Bind = Callable[[Call], Timed]
Output = Callable[[Any], Any]
Prepare = Callable[[Call], Union[Timed, tuple[Timed, Output]]]


class Backend:
    """An implementation of Tile for certile; `certile.backend` makes it, `serve` connects it to the protocol.

    It is called like its function.
    """

    def __init__(self, function: Function, words: dict[str, str], rejects: tuple[type[BaseException], ...],
                 infer: Function | None, prepare: Prepare | None) -> None:
        self.function = function
        self.words = words
        self.rejects = rejects
        self.operators = frozenset(words["operators"].split())
        self.types = frozenset(words["types"].split())
        self.repeats_types = frozenset(words["repeats_types"].split())
        self.run: Bind = _binding(function, lambda call: call.data.array())
        self.infer: Bind | None = None if infer is None else _binding(infer, lambda call: call.data.shape)
        self._prepare = prepare
        self.__doc__ = function.__doc__

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.function(*arguments, **named)

    def __repr__(self) -> str:
        return f"<certile backend {self.words['name']} {self.words['version']}>"

    def prepare(self, call: Call) -> tuple[Timed, Output | None]:
        """Returns the function to time, which has no arguments and makes only the call, with everything else prepared.

        The second item makes the output from that function's result; None if the function is the backend's own.
        """
        if self._prepare is None:
            return self.run(call), None
        made = self._prepare(call)
        return made if isinstance(made, tuple) else (made, lambda result: result)

    def serve(self, *, forks: bool = False) -> None:
        """Answers certile on standard input and output until it says bye; see `certile.serve`."""
        from .serving import serve  # pylint: disable=import-outside-toplevel, serving imports this file
        serve(self, forks=forks)


def backend(*, name: str, version: str, operators: Sequence[str] = ("openvino-tile-1",),
            types: Sequence[str] | None = None, repeats_types: Sequence[str] = INTEGER_TYPES, max_rank: int = 0,
            max_elements: int = 0, max_bytes: int = 0, issues: str = "", rejects: Sequence[type[BaseException]] = (),
            infer: Function | None = None, prepare: Prepare | None = None) -> Callable[[Function], Backend]:
    """Returns a decorator that makes a Backend of a function that computes Tile.

    The function is called `tile(data, repeats)`, with arrays of the call's shapes and types: `data` of any shape, `repeats`
    usually a vector of integers, because certile also asks for refusals. It returns the output as anything that
    NumPy converts to an array, or as an Operand with the bytes. If it has a parameter `axis`, it gets
    onnx-tile-1's, an array of shape () (None for other operators); if it has one named `call`, the whole Call. A
    function whose first parameter is `call` gets nothing else, and only the arrays that it asks for are made.

    If there is no output, it raises: Rejected, or one of `rejects`, if the operator refuses the call;
    Unsupported; NoMemory or MemoryError. Any other exception counts as its failure.

    `name` and `version` are the implementation's, not the wrapper's. `operators`, `types` and `repeats_types` are its claim,
    by certile's names; beyond it, certile receives "not claimed" without a call of the function. `types` left out
    are all that arrays hold here. `max_rank`, `max_elements`, `max_bytes`: limits, 0 for none. `issues`: where its faults are
    reported.

    `infer(shape, repeats)` returns the output's shape without computing it; `shape` is the data's. It may have the same
    further parameters.

    `prepare(call)` prepares a call, with its output bound in place if the framework can, and returns the function to time: it
    has no arguments, and has computed its output when it returns. That function keeps alive whatever it uses. The result of
    its last call is compared with that of the function above, and a difference is a failure instead of times.
    If it returns something else, `prepare` returns a pair: that function, and `output(result)`, which makes the output of the
    last result, outside its time; a bound buffer should contain other bytes before.

    Raises ValueError if the claim is inconsistent. Source of each word: the worker protocol, "The claim".
    """
    chosen = array_types() if types is None else tuple(types)
    limits = {"max_rank": max_rank, "max_elements": max_elements, "max_bytes": max_bytes}
    words = {"name": name, "version": version, "operators": " ".join(operators), "types": " ".join(chosen),
             "repeats_types": " ".join(repeats_types), **{limit: str(value) for limit, value in limits.items() if value},
             "infer": "no" if infer is None else "yes", **({"issues": issues} if issues else {})}

    def made(function: Function) -> Backend:
        _check(function, operators, chosen, repeats_types)
        return Backend(function, words, tuple(rejects), infer, prepare)

    return made


def _parameters(function: Function) -> tuple[str, ...]:
    try:
        return tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # builtins often have no signature
        return ()


def _check(function: Function, operators: Sequence[str], types: Sequence[str], repeats_types: Sequence[str]) -> None:
    for operator in operators:
        if operator not in OPERATORS:
            raise ValueError(f"there is no operator {operator!r}; there are {', '.join(OPERATORS)}")
    for each in repeats_types:
        if each not in (*INTEGER_TYPES, "i4", "u4"):
            raise ValueError(f"repeats cannot be {each!r}; they can be {', '.join(INTEGER_TYPES)}, i4, u4")
    parameters = _parameters(function)
    if "onnx-tile-1" in operators and not {"axis", "call"} & set(parameters):
        raise ValueError("onnx-tile-1 has an axis: the function needs a parameter 'axis' or 'call'")
    for each in types:
        try:
            dtype_of(each)
        except LookupError as why:
            if each not in (*PACKED_BITS, "bf16", "f8e4m3", "f8e5m2", "f8e8m0") or parameters[:1] != ("call",):
                raise ValueError(f"types has {each!r}: {why}") from why


def _binding(function: Function, first: Callable[[Call], Any]) -> Bind:
    """Returns what makes, of a Call, the function with the arguments that its parameters want: nothing else is timed."""
    parameters = _parameters(function)
    if parameters[:1] == ("call",):
        return lambda call: partial(function, call)
    takes_axis, takes_call = "axis" in parameters[2:], "call" in parameters[2:]

    def bind(call: Call) -> Timed:
        named: dict[str, Any] = {"call": call} if takes_call else {}
        if takes_axis:
            named["axis"] = None if call.axis is None else call.axis.array()
        return partial(function, first(call), call.repeats.array(), **named)

    return bind
