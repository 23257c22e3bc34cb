"""Arrays of NumPy, torch and CuPy at chosen places in memory, and other work on a device meanwhile."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ._arrays import numpy

#: Significant bits of the formats whose sums show an order.
PRECISIONS = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}
_ALIGNED = 512
_DISTANCES = (1, 2, 3, 4, 7, 8, 16, 33)


@dataclass(frozen=True)
class Place:
    """Where an array stands: so many elements behind an address that is a multiple of 512 bytes, in a layout."""

    distance: int = 0
    layout: str = "dense"  #: "dense", "padded" (a gap behind each row), "transposed" or "every other" (1-D: a gap each)

    def __str__(self) -> str:
        words = [f"{self.distance} elements behind an aligned address"] if self.distance else []
        words += [self.layout] if self.layout != "dense" else []
        return " and ".join(words) or "an aligned address"


def distances(draw: Any, count: int) -> list[Place]:
    """Places behind an aligned address, that of one element among them."""
    return [Place(_DISTANCES[0])] + [Place(int(draw.choice(_DISTANCES[1:]))) for _ in range(count - 1)]


LAYOUTS = (Place(layout="padded"), Place(layout="transposed"), Place(layout="every other"))


@dataclass(frozen=True)
class Held:
    """An array, copied to the host. `numbers`: those of NumPy; of bfloat16 the patterns. `like`: the array itself."""

    numbers: Any
    kind: str
    like: Any

    def with_numbers(self, numbers: Any) -> "Held":
        return Held(numpy.ascontiguousarray(numbers), self.kind, self.like)

    def of_values(self, values: Any) -> "Held":
        """The array of these numbers of binary64, which its format has."""
        if self.kind != "bfloat16":
            return self.with_numbers(values.astype(self.numbers.dtype))
        return self.with_numbers((values.astype("float32").view("uint32") >> 16).astype("uint16"))

    def values(self) -> Any:
        """The numbers as binary64."""
        if self.kind != "bfloat16":
            return self.numbers.astype("float64")
        return numpy.asarray(self.numbers.astype("uint32") * numpy.uint32(1 << 16)).view("float32").astype("float64")

    def bits(self) -> Any:
        """The patterns, one for every NaN."""
        if self.kind not in PRECISIONS:
            return self.numbers
        unsigned = numpy.ascontiguousarray(self.numbers).view(f"u{self.numbers.dtype.itemsize}")
        is_nan = numpy.isnan(self.values() if self.kind == "bfloat16" else self.numbers)
        return numpy.where(is_nan, numpy.iinfo(unsigned.dtype).max, unsigned).astype(unsigned.dtype)


def _library_of(value: Any) -> str:
    return type(value).__module__.partition(".")[0]


def held(value: Any, name: str) -> Held:
    """Raises TypeError for another array than one of NumPy, torch or CuPy."""
    library = _library_of(value)
    if library == "torch":
        copy = value.detach().cpu().contiguous()
        torch = sys.modules["torch"]
        kind = str(copy.dtype).removeprefix("torch.")
        if copy.dtype == torch.bfloat16:
            return Held(copy.view(torch.int16).numpy().view("uint16").copy(), kind, value)
        return Held(copy.numpy().copy(), kind, value)
    if library == "cupy":
        numbers = value.get()
    elif library in ("numpy", "builtins") and isinstance(value, (float, int, numpy.ndarray, numpy.generic)):
        numbers = numpy.asarray(value)
    else:
        raise TypeError(f"{name}: arrays of NumPy, torch and CuPy are accepted, not {type(value).__name__}")
    return Held(numpy.array(numbers, copy=True, order="C"), numbers.dtype.name, value)


def _strides_of(shape: tuple[int, ...], layout: str) -> list[int]:
    """In elements."""
    order = list(range(len(shape)))[::-1]
    if layout == "transposed" and len(shape) > 1:
        order[0], order[1] = order[1], order[0]
    strides, step = [0] * len(shape), 2 if layout == "every other" else 1
    for k, axis in enumerate(order):
        strides[axis] = step
        step *= shape[axis]
        if layout == "padded" and k == 0:
            step += 3
    return strides


def placed(array: Held, place: Place = Place()) -> Any:
    """A copy in its library and on its device. What stands in the gaps is NaN, or −1."""
    numbers = array.numbers
    size = numbers.dtype.itemsize
    strides = _strides_of(numbers.shape, place.layout)
    count = 1 + sum((n - 1) * step for n, step in zip(numbers.shape, strides)) if numbers.size else 0
    begin = place.distance * size
    library = _library_of(array.like)
    if library == "torch":
        torch = sys.modules["torch"]
        memory = torch.empty(count * size + begin + _ALIGNED, dtype=torch.uint8, device=array.like.device)
        memory.fill_(0xFF)
        begin += -memory.data_ptr() % _ALIGNED
        kind = getattr(torch, array.kind)
        flat = memory[begin : begin + count * size].view(kind)
        view = flat.as_strided(numbers.shape, strides, begin // size)
        source = torch.from_numpy(numbers.view("int16") if array.kind == "bfloat16" else numbers)
        return view.copy_((source.view(kind) if array.kind == "bfloat16" else source).to(view.device))
    of_bytes = [step * size for step in strides]
    if library == "cupy":
        cupy = sys.modules["cupy"]
        memory = cupy.full(count * size + begin + _ALIGNED, 0xFF, dtype="uint8")
        begin += -memory.data.ptr % _ALIGNED
        view = cupy.ndarray(numbers.shape, numbers.dtype, memory.data + begin, of_bytes)
        view[...] = cupy.asarray(numbers)
        return view
    if library == "builtins":
        return array.like
    memory = numpy.full(count * size + begin + _ALIGNED, 0xFF, dtype="uint8")
    begin += -memory.ctypes.data % _ALIGNED
    view = numpy.ndarray(numbers.shape, numbers.dtype, memory, begin, of_bytes)
    view[...] = numbers
    return view


class Machine:
    """The device that the arrays lie on; the host where none does."""

    def __init__(self, arrays: list[Held]):
        on_torch = [each.like for each in arrays if _library_of(each.like) == "torch" and each.like.is_cuda]
        on_cupy = [each.like for each in arrays if _library_of(each.like) == "cupy"]
        self._torch = sys.modules["torch"] if on_torch else None
        self._cupy = sys.modules["cupy"] if on_cupy else None
        self._device = on_torch[0].device if on_torch else None
        self._streams: list[Any] = []
        self._kept: list[Any] = []
        self._factor: Any = None

    def __bool__(self) -> bool:
        return self._torch is not None or self._cupy is not None

    def wait(self) -> None:
        if self._torch is not None:
            self._torch.cuda.synchronize()
        if self._cupy is not None:
            self._cupy.cuda.Device().synchronize()

    @contextmanager
    def other_stream(self) -> Iterator[None]:
        """Calls go to another stream than before."""
        self.wait()
        if self._torch is not None:
            stream = self._torch.cuda.Stream()
            entered: Any = self._torch.cuda.stream(stream)
        else:
            stream = self._cupy.cuda.Stream(non_blocking=True)
            entered = stream
        with entered:
            yield
        self.wait()
        self._streams = [*self._streams[-7:], stream]

    @contextmanager
    def other_work(self, draw: Any) -> Iterator[None]:
        """Products of matrices and short kernels are under way in two other streams."""
        self.wait()
        sides = [int(draw.choice([96, 384, 1024, 1536])) for _ in range(2)]
        for side in sides:
            if self._torch is not None:
                with self._torch.cuda.stream(self._torch.cuda.Stream()):
                    self._multiply(self._torch.ones((side, side), device=self._device), side)
            elif self._cupy is not None:
                with self._cupy.cuda.Stream(non_blocking=True):
                    self._multiply(self._cupy.ones((side, side), dtype="float32"), side)
        yield
        self.wait()

    @staticmethod
    def _multiply(x: Any, side: int) -> None:
        y = x
        for _ in range(4 if side > 1000 else 12):
            y = x @ y
            y = y * (1 / side)

    def fresh_memory(self, draw: Any) -> None:
        """New arrays get memory that no array had."""
        self.wait()
        sizes = [int(each) for each in draw.integers(1, 1 << 22, 4)]
        if self._torch is not None:
            self._kept = [self._torch.empty(size, dtype=self._torch.uint8, device=self._device) for size in sizes]
            self._torch.cuda.empty_cache()
        elif self._cupy is not None:
            self._kept = [self._cupy.empty(size, dtype="uint8") for size in sizes]
            self._cupy.get_default_memory_pool().free_all_blocks()
        else:
            self._kept = [numpy.empty(size, dtype="uint8") for size in sizes]

    def used_memory(self) -> None:
        """New arrays get memory that is full of NaN."""
        self._kept = []
        for bits in range(9, 23 if self else 17):
            for _ in range(2):
                if self._torch is not None:
                    self._kept.append(
                        self._torch.full((1 << bits,), 0xFF, dtype=self._torch.uint8, device=self._device)
                    )
                elif self._cupy is not None:
                    self._kept.append(self._cupy.full(1 << bits, 0xFF, dtype="uint8"))
                else:
                    self._kept.append(numpy.full(1 << bits, 0xFF, dtype="uint8"))
        self.wait()
        self._kept = []
