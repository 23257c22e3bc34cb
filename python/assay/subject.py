"""Lets Assay judge a function of Python.

A program that calls serve(dot=f) is a kernel from outside: `assay check --operation dot --subject "python3 mine.py"`.
It answers on its standard input and output as docs/pipe.md says.
"""

import array
import json
import os
import struct
import sys

try:
    import numpy
except ImportError:
    numpy = None

# How the numbers of a format lie in memory, as codes of struct. Those that struct does not know are the unsigned
# integers of their patterns.
_CODES = {"f64": "d", "f32": "f", "f16": "e", "bf16": "H", "e4m3": "B", "e5m2": "B", "s8": "b", "s32": "i"}


def _numbers(code, raw):
    """The numbers of some bytes: an array of NumPy where it is installed, else an array.array or a list."""
    if numpy is not None:
        return numpy.frombuffer(raw, dtype="<" + code).copy()
    if code in array.typecodes:
        return array.array(code, raw)
    return list(struct.unpack(f"<{len(raw) // struct.calcsize(code)}{code}", raw))


def _cases(header, raw, code):
    """The arguments of each case, field by field in the order of the operation."""
    count = header["cases"]
    width = struct.calcsize(code)
    integers = set(header["integers"])
    columns = []
    at = 0
    for name in header["fields"]:
        column = []
        kind = "q" if name in integers else code
        for length in header["lengths"].get(name, [None] * count):
            size = struct.calcsize(kind) if length is None else length * width
            piece = raw[at : at + size]
            at += size
            column.append(struct.unpack("<" + kind, piece)[0] if length is None else _numbers(code, piece))
        columns.append(column)
    return zip(*columns)


def _packed(code, result):
    """The bytes of a result: one number, or several."""
    if numpy is not None and isinstance(result, numpy.ndarray):
        return numpy.ascontiguousarray(result, dtype="<" + code).tobytes()
    if hasattr(result, "__len__"):
        return struct.pack(f"<{len(result)}{code}", *result)
    return struct.pack("<" + code, result)


def serve(**functions):
    """Answers until the input ends. Each function has the name of the operation that it computes, takes the fields of a
    case in their order (`x, y` for dot) as NumPy arrays or, without NumPy, as array.array, and returns a number or a
    sequence of numbers. Numbers of bf16, e4m3 and e5m2 are their patterns, as unsigned integers. What it prints goes to standard error. An exception is told to Assay, which counts it as a
    crash on that case."""
    source = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def answer(header, raw=b"", framed=True):
        text = json.dumps(header).encode()
        answers.write(struct.pack("<I", len(text)) + text + raw if framed else text + b"\n")
        answers.flush()

    greeting = json.loads(source.readline())
    function = functions.get(greeting["operation"])
    of_inputs, _, of_results = greeting["format"].partition(":")
    code = _CODES.get(of_inputs)
    of_result = _CODES.get(of_results or of_inputs)
    if greeting["protocol"] != 1 or None in (function, code, of_result):
        answer({"error": f"no {greeting['operation']} in {greeting['format']} here"}, framed=False)
        return
    answer({"protocol": 1}, framed=False)
    while len(prefix := source.read(4)) == 4:
        header = json.loads(source.read(struct.unpack("<I", prefix)[0]))
        raw = source.read(header["bytes"])
        try:
            packed = b"".join(_packed(of_result, function(*case)) for case in _cases(header, raw, code))
            answer({"bytes": len(packed)}, packed)
        except Exception as error:  # whatever the function raises is its answer
            answer({"error": f"{type(error).__name__}: {error}"})
