"""Things that a judged function may not change: functions and classes of Python, NumPy and Assay, modules, and the
state of the interpreter that tests and judges rely on."""

from __future__ import annotations

import contextlib
import importlib
import signal
import sys
import threading
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

#: Packages whose functions and classes are watched, and modules of the standard library that tests and the judge use.
_PACKAGES = ("assay", "numpy", "pytest", "_pytest", "unittest")
_STANDARD = ("builtins", "cmath", "contextlib", "ctypes", "datetime", "decimal", "fractions", "functools", "gc", "json")
_STANDARD += ("math", "os", "random", "signal", "statistics", "struct", "sys", "threading", "time", "timeit")
#: Modules of packages that load some of their own functions late; that is not a replacement.
_LATE = ("torch", "torch.testing", "torch.cuda", "torch.nn", "torch.nn.functional", "torch.random")
_LATE += ("cupy", "cupy.testing", "jax", "jax.numpy")
#: Classes of torch whose members are watched.
_CLASSES: dict[str, tuple[str, ...]] = {"torch": ("Tensor", "Generator"), "torch.cuda": ("Event", "Stream")}
_CLASSES["torch.nn"] = ("Module", "Linear", "Conv2d", "LayerNorm", "Sequential")
_STREAMS = ("stdin", "stdout", "stderr")
#: Names of Assay that change at their first use.
_LOADED = ("_library", "__builtins__")


class _Gone:
    """Stands for a deleted attribute."""


class Guard:
    """The state at the time of construction."""

    def __init__(self) -> None:
        self._modules = {
            name: module
            for name, module in sys.modules.items()
            if name.partition(".")[0] in _PACKAGES or name in _STANDARD or name in _LATE
        }
        self._spaces: list[tuple[str, Any, bool, dict[str, tuple[Any, Any, Any]]]] = []
        for name, module in self._modules.items():
            if not isinstance(module, ModuleType):
                continue
            is_own = name.partition(".")[0] == "assay"
            for key in _CLASSES.get(name, ()):
                if key in vars(module):
                    self._watch(f"{name}.{key}", vars(module)[key], True)
            self._watch(name, vars(module), is_own)
            for each in list(vars(module).values()) if is_own else ():
                if isinstance(each, type) and each.__module__ == name:
                    self._watch(f"{name}.{each.__name__}", each, True)
        native = self._modules.get("assay._native")
        if native is not None and native._library is not None:
            self._watch("the library of the judge", vars(native._library), True)
        self._states = [(name, read, write, read()) for name, read, write in _states()]
        self._assign, self._remove = type.__setattr__, type.__delattr__
        self._is_main_thread = threading.current_thread() is threading.main_thread()

    def _watch(self, name: str, space: Any, everything: bool) -> None:
        """Records the functions and classes of a namespace, or `everything` in it, with the code of functions."""
        is_class = isinstance(space, type)
        noted = {
            key: (value, *_code(value))
            for key, value in (vars(space) if is_class else space).items()
            if (everything and key not in _LOADED) or callable(value) or (name == "sys" and key in _STREAMS)
        }
        self._spaces.append((name, space, is_class, noted))

    def changes(self) -> list[str]:
        """The differences, one sentence each. Replaced objects are put back. Until that is done, it calls no Python
        function, because that may be the replaced one."""
        told = []
        for name, space, is_class, noted in self._spaces:
            values = space.__dict__ if is_class else space
            is_late = name in _LATE
            for key, (before, function, code) in noted.items():
                now = values.get(key, _Gone)
                if now is before:
                    if function is None or function.__code__ is code:
                        continue
                    function.__code__ = code
                elif is_late and (now.__class__ is not FunctionType or _is_of(now, name)):
                    continue
                elif is_class and name.startswith("torch.") and now.__class__ is FunctionType and _is_of(now, name):
                    continue  # torch's compiler replaces some of torch's methods
                elif is_class:
                    self._assign(space, key, before)
                else:
                    space[key] = before
                told.append(f"it replaced {name}.{key}")
            for key in [each for each in values if each not in noted] if is_class else ():
                hides = [base for base in space.__mro__[1:] if key in base.__dict__]
                if hides and not (values[key].__class__ is FunctionType and _is_of(values[key], name)):
                    self._remove(space, key)
                    told.append(f"it replaced {name}.{key}")
        for name, module in self._modules.items():
            if sys.modules.get(name) is not module:
                sys.modules[name] = module
                told.append(f"it replaced the module {name}")
        for name, read, write, before in self._states:
            if read() != before:
                told.append(f"it changed {name}")
                if self._is_main_thread:
                    write(before)
        return told


def _code(value: Any) -> tuple[Any, Any]:
    """The Python function that a value is, or that NumPy dispatches to, and its code."""
    if isinstance(value, FunctionType) or str(type(value).__module__).startswith("numpy"):
        value = getattr(value, "__wrapped__", value)
    return (value, value.__code__) if isinstance(value, FunctionType) else (None, None)


def _is_of(function: Any, module: str) -> bool:
    """Whether a function was defined in the package of a module."""
    defined_in = str(function.__globals__.get("__name__", ""))
    return defined_in.partition(".")[0] == module.partition(".")[0]


_State = tuple[str, Callable[[], Any], Callable[[Any], Any]]


def _states() -> list[_State]:
    """Parts of the state of the interpreter: their names, and how they are read and written."""
    states: list[_State] = [
        ("sys.settrace", sys.gettrace, sys.settrace),
        ("sys.setprofile", sys.getprofile, sys.setprofile),
        *map(_handler, sorted(signal.valid_signals())),
    ]
    random, numpy = sys.modules.get("random"), sys.modules.get("numpy")
    if numpy is not None:
        importlib.import_module("numpy.random")  # NumPy 2 loads it late
    if random is not None and threading.active_count() == 1:  # other threads may draw numbers
        states.append(("the state of random", random.getstate, random.setstate))
    if numpy is not None:
        states += _states_of_numpy(numpy)
    if "torch" in sys.modules:
        states += _states_of_torch(sys.modules["torch"])
    return states


def _handler(number: int) -> _State:
    def write(before: Any) -> None:
        if before is not None:  # None: it was not set by Python
            signal.signal(number, before)

    name = number.name if isinstance(number, signal.Signals) else str(number)
    return f"the handler of {name}", lambda: signal.getsignal(number), write


def _states_of_numpy(numpy: Any) -> list[_State]:
    def options() -> Any:
        return numpy.get_printoptions()

    def drawn() -> Any:
        kind, words, *rest = numpy.random.get_state()
        return kind, words.tobytes(), *rest

    def draw(before: Any) -> None:
        kind, words, *rest = before
        numpy.random.set_state((kind, numpy.frombuffer(words, "u4"), *rest))

    states: list[_State] = [
        ("numpy.seterr", numpy.geterr, lambda before: numpy.seterr(**before)),
        ("numpy.seterrcall", numpy.geterrcall, numpy.seterrcall),
        ("numpy.set_printoptions", options, lambda before: numpy.set_printoptions(**before)),
    ]
    if "numpy.random" in sys.modules and threading.active_count() == 1:
        states.append(("the state of numpy.random", drawn, draw))
    return states


#: Settings of torch with the functions that read and write them; a version of torch has some of them.
_OF_TORCH = [
    ("default dtype", "get_default_dtype", "set_default_dtype"),
    ("default device", "get_default_device", "set_default_device"),
    ("float32 matmul precision", "get_float32_matmul_precision", "set_float32_matmul_precision"),
    ("number of threads", "get_num_threads", "set_num_threads"),
    ("grad mode", "is_grad_enabled", "set_grad_enabled"),
    ("autocast", "is_autocast_enabled", "set_autocast_enabled"),
    ("autocast of the host", "is_autocast_cpu_enabled", "set_autocast_cpu_enabled"),
    ("deterministic algorithms", "get_deterministic_debug_mode", "set_deterministic_debug_mode"),
]
#: Flags of torch.backends: TF32, narrow sums, cuDNN's choice of algorithms, oneDNN.
_FLAGS = [("cuda.matmul", f"allow_{kind}") for kind in ("tf32", "fp16_reduced_precision_reduction")]
_FLAGS += [("cuda.matmul", "allow_bf16_reduced_precision_reduction"), ("cuda.matmul", "allow_fp16_accumulation")]
_FLAGS += [("cudnn", key) for key in ("allow_tf32", "enabled", "benchmark", "deterministic")]
_FLAGS += [("", "fp32_precision"), ("cuda.matmul", "fp32_precision")]
_FLAGS += [(of + part, "fp32_precision") for of in ("cudnn", "mkldnn") for part in ("", ".matmul", ".conv", ".rnn")]


def _states_of_torch(torch: Any) -> list[_State]:
    """Settings that decide what torch computes."""
    states: list[_State] = [
        _setting(f"torch's {name}", getattr(torch, read), getattr(torch, write))
        for name, read, write in _OF_TORCH
        if hasattr(torch, read) and hasattr(torch, write)
    ]
    for module, key in _FLAGS:
        space: Any = getattr(torch, "backends", None)
        for part in module.split(".") if module else ():
            space = getattr(space, part, None)
        try:
            getattr(space, key)
        except (AttributeError, AssertionError):  # torch raises either for a flag that this version lacks
            continue
        name = ".".join(each for each in ("torch.backends", module, key) if each)
        states.append(_setting(name, _reader(space, key), _writer(space, key)))
    return states


def _reader(space: Any, key: str) -> Callable[[], Any]:
    return lambda: getattr(space, key)


def _writer(space: Any, key: str) -> Callable[[Any], None]:
    return lambda before: setattr(space, key, before)


def _setting(name: str, read: Callable[[], Any], write: Callable[[Any], Any]) -> _State:
    """A setting of torch. Since torch 2.9, a setting raises RuntimeError if a newer one of the same matter was set."""

    def reading() -> Any:
        try:
            return read()
        except RuntimeError:
            return _Gone

    def writing(before: Any) -> None:
        with contextlib.suppress(RuntimeError):
            write(before)

    return name, reading, writing
