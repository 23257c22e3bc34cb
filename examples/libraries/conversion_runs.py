"""Writes the runs of conversions of Python's libraries: each input at which the result differs from that of the input
before, and the result. `assay check --operation convert --runs FILE` reads them.

    python3 conversion_runs.py torch device FOLDER [CONVERSION]

The library is numpy, ml_dtypes, torch, jax, triton or cupy; the place is device or host. A file is written for each
pair of formats, or for the pairs whose name is CONVERSION, a regular expression such as f32_e4m3fn. A conversion that the library does not have is left out, with
the reason on standard error.
"""

import importlib
import itertools
import multiprocessing
import pathlib
import re
import sys
import time

import numpy

BITS = {"f32": 32, "f16": 16, "bf16": 16, "e3m2": 6, "e2m3": 6, "e2m1": 4, "int4": 4, "uint4": 4}
EIGHT_BITS = ["e5m2", "e4m3fn", "e4m3_ieee", "e3m4", "e5m2fnuz", "e4m3fnuz", "e4m3b11fnuz", "e8m0", "int8", "uint8"]
SMALL = [*EIGHT_BITS, "e3m2", "e2m3", "e2m1", "int4", "uint4"]
PAIRS = [(source, target) for source in ("f32", "f16", "bf16") for target in ("f16", "bf16", *SMALL) if source != target
         and not (source == "f32" and "int" in target)]  # of these, too many runs
PAIRS += [(source, target) for source in ("f16", "bf16", *SMALL) for target in ("f32", "f16", "bf16")
          if source != target and (source, target) not in PAIRS]
#: Names in NumPy, ml_dtypes, JAX and CuPy; torch has the same ones for the formats that it has.
TYPES = {"f32": "float32", "f16": "float16", "bf16": "bfloat16", "e5m2": "float8_e5m2", "e4m3fn": "float8_e4m3fn",
         "e4m3_ieee": "float8_e4m3", "e3m4": "float8_e3m4", "e5m2fnuz": "float8_e5m2fnuz",
         "e4m3fnuz": "float8_e4m3fnuz", "e4m3b11fnuz": "float8_e4m3b11fnuz", "e8m0": "float8_e8m0fnu",
         "e3m2": "float6_e3m2fn", "e2m3": "float6_e2m3fn", "e2m1": "float4_e2m1fn", "int8": "int8", "uint8": "uint8",
         "int4": "int4", "uint4": "uint4"}


def bits_of(name):
    return BITS.get(name, 8)


def container(name):
    """The bits in which a code lies in memory."""
    return max(8, bits_of(name))


def changes_of(module, codes):
    """The places where an array differs from its neighbor before, 0 among them, and the codes there."""
    places = module.flatnonzero(codes[1:] != codes[:-1]) + 1
    return numpy.concatenate([[0], as_numpy(places)]), numpy.concatenate([as_numpy(codes[:1]), as_numpy(codes[places])])


def as_numpy(array):
    return array.get() if hasattr(array, "get") else numpy.asarray(array)


def by_arrays(module, source, target, of_name, chunk):
    """Conversions by astype() of arrays as NumPy has them."""
    unsigned = f"uint{container(source)}"
    base = module.arange(chunk, dtype=unsigned)
    kind, result = of_name(source), of_name(target)

    def changes(first):
        inputs = (base + module.asarray(first, dtype=unsigned)).view(kind)
        return changes_of(module, inputs.astype(result).view(f"uint{container(target)}"))

    return changes


def in_numpy(source, target, place, chunk):
    def of_name(name):
        if name in ("bf16", "int4", "uint4") or not hasattr(numpy, TYPES[name]):
            raise TypeError("NumPy has no such type")
        return TYPES[name]

    return by_arrays(numpy, source, target, of_name, chunk)


def in_ml_dtypes(source, target, place, chunk):
    import ml_dtypes
    return by_arrays(numpy, source, target, lambda name: getattr(ml_dtypes, TYPES[name], None) or TYPES[name], chunk)


def in_cupy(source, target, place, chunk):
    import cupy

    def of_name(name):
        if name not in ("f32", "f16", "int8", "uint8"):
            raise TypeError("CuPy has no such type")
        return TYPES[name]

    return by_arrays(cupy, source, target, of_name, chunk)


def torch_changes(codes):
    places = (codes[1:] != codes[:-1]).nonzero().flatten() + 1
    firsts, found = places.cpu().numpy(), codes[places].cpu().numpy()
    return numpy.concatenate([[0], firsts]), numpy.concatenate([codes[:1].cpu().numpy(), found])


def in_torch(source, target, place, chunk):
    import torch
    base = torch.arange(chunk, dtype=torch.int32, device="cuda" if place == "device" else "cpu")
    patterns = {8: torch.uint8, 16: torch.int16, 32: torch.int32}
    kind, result = getattr(torch, TYPES[source]), getattr(torch, TYPES[target])

    def changes(first):
        inputs = (base + (first - (first >> 31 << 32))).to(patterns[container(source)]).view(kind)
        return torch_changes(inputs.to(result).view(patterns[container(target)]))

    return changes


def in_jax(source, target, place, chunk):
    import jax
    import torch
    from jax import lax
    device = jax.devices("cpu" if place == "host" else "gpu")[0]
    kind, result = getattr(jax.numpy, TYPES[source]), getattr(jax.numpy, TYPES[target])
    of_source = getattr(jax.numpy, f"uint{4 if bits_of(source) == 4 else container(source)}")
    of_target = getattr(jax.numpy, "uint4" if bits_of(target) == 4 else f"int{container(target)}")

    @jax.jit
    def convert(first):
        inputs = (first + lax.iota(jax.numpy.uint32, chunk)).astype(of_source)
        codes = lax.bitcast_convert_type(lax.bitcast_convert_type(inputs, kind).astype(result), of_target)
        return codes.astype(jax.numpy.uint8) if bits_of(target) == 4 else codes

    def changes(first):
        with jax.default_device(device):
            return torch_changes(torch.from_dlpack(convert(jax.numpy.uint32(first))))

    return changes


def in_triton(source, target, place, chunk):
    import torch
    convert = triton_kernel()
    types = {"f32": tl.float32, "f16": tl.float16, "bf16": tl.bfloat16, "e5m2": tl.float8e5, "e4m3fn": tl.float8e4nv,
             "e5m2fnuz": tl.float8e5b16, "e4m3fnuz": tl.float8e4b8, "int8": tl.int8, "uint8": tl.uint8}
    patterns = {8: tl.uint8, 16: tl.int16, 32: tl.int32}
    stored = {8: torch.uint8, 16: torch.int16, 32: torch.int32}
    codes = torch.empty(chunk, dtype=stored[container(target)], device="cuda")
    block = min(1024, chunk)

    def changes(first):
        convert[(chunk // block,)](codes, first, patterns[container(source)], types[source], types[target],
                                   patterns[container(target)], block)
        return torch_changes(codes)

    return changes


def triton_kernel():
    global tl  # where the compiler of Triton looks for names
    import triton
    import triton.language as tl

    @triton.jit
    def convert(codes, first, OF_SOURCE: tl.constexpr, SOURCE: tl.constexpr, TARGET: tl.constexpr,
                OF_TARGET: tl.constexpr, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        inputs = (first + i.to(tl.int64)).to(OF_SOURCE)
        results = inputs.to(SOURCE, bitcast=True).to(TARGET)
        tl.store(codes + i, results.to(OF_TARGET, bitcast=True))

    return convert


LIBRARIES = {"numpy": in_numpy, "ml_dtypes": in_ml_dtypes, "cupy": in_cupy, "torch": in_torch, "jax": in_jax,
             "triton": in_triton}


def use_one_thread(library):
    if library == "torch":
        sys.modules["torch"].set_num_threads(1)


def part(arguments):
    """The runs of the inputs in a range, as pairs of input and code."""
    library, place, source, target, begin, end, chunk = arguments
    changes = LIBRARIES[library](source, target, place, chunk)
    found = []
    with numpy.errstate(all="ignore"):
        for first in range(begin, end, chunk):
            places, codes = changes(first)
            found += zip((places + first).tolist(), codes.tolist())
    return found


def write(library, place, source, target, file):
    """Writes the runs of one conversion. On the host a process for each core calls the library."""
    count = 1 << bits_of(source)
    is_parallel = place == "host" and library != "jax" and count > 1 << 16
    parts = 256 if is_parallel else 1
    chunk = min(count, 1 << (16 if is_parallel else 28 if place == "device" else 26))
    arguments = [(library, place, source, target, count * i // parts, count * (i + 1) // parts, chunk)
                 for i in range(parts)]
    if is_parallel:
        importlib.import_module(library)  # once, before the processes are made
        with multiprocessing.get_context("fork").Pool(initializer=use_one_thread, initargs=(library,)) as pool:
            found = pool.map(part, arguments, chunksize=1)
    else:
        found = map(part, arguments)
    mask = (1 << container(target)) - 1
    before = None
    with open(file, "w") as out:
        for first, code in itertools.chain.from_iterable(found):
            if code != before:
                out.write(f"{first:#x} {code & mask:#x}\n")
            before = code


def main():
    if len(sys.argv) not in (4, 5) or sys.argv[1] not in LIBRARIES or sys.argv[2] not in ("device", "host"):
        sys.exit(f"usage: conversion_runs.py {'|'.join(LIBRARIES)} device|host FOLDER [CONVERSION]")
    library, place, folder, *rest = sys.argv[1:]
    wanted = re.compile(rest[0] if rest else ".*")
    for source, target in PAIRS:
        name = f"{source}_{target}"
        if not wanted.fullmatch(name):
            continue
        file = pathlib.Path(folder, f"{name}.runs")
        begin = time.monotonic()
        try:
            write(library, place, source, target, file)
            print(f"{name} {time.monotonic() - begin:.1f} s", file=sys.stderr)
        except Exception as error:
            file.unlink(missing_ok=True)
            print(f"{name}: left out: {str(error).strip()[:200]!r}", file=sys.stderr)


if __name__ == "__main__":
    main()
