"""Lets Assay judge a function of Python.

A program that calls serve(dot=f) is a kernel from outside: `assay check --operation dot --subject "python3 mine.py"`.
It answers on its standard input and output as docs/pipe.md says. `python3 -m assay.subject MODULE:FUNCTION` serves a
function of a module, whatever operation is asked for. It takes what assay.check gives to a function: the fields of a
case, or α, A, B, β and C of a product, or arrays in the shapes of the operation's declaration. With `--formula FILE` it
is a kernel of the formula, and takes its parameters in their shapes.
"""

import array
import importlib
import json
import math
import os
import struct
import sys

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]

# How the numbers of a format lie in memory, as codes of struct. Those that struct does not know are the unsigned
# integers of their patterns.
_CODES = {"f64": "d", "f32": "f", "f16": "e", "bf16": "H", "e4m3": "B", "e5m2": "B", "s8": "b", "s32": "i", "s64": "q"}
# Types of ml_dtypes whose arrays are taken as results for those patterns.
_PATTERNS = {"H": ("bfloat16",), "B": ("float8_e4m3fn", "float8_e5m2")}


def _numbers(code, raw):
    """The numbers of some bytes: an array of NumPy where it is installed, else an array.array or a list."""
    if numpy is not None:
        return numpy.frombuffer(raw, dtype="<" + code).copy()
    if code in array.typecodes:
        return array.array(code, raw)
    return list(struct.unpack(f"<{len(raw) // struct.calcsize(code)}{code}", raw))


def _number(format, raw):
    """The one number of some bytes, as a Python number. A bfloat16 is the upper half of a binary32."""
    code, raw = ("f", b"\0\0" + raw) if format == "bf16" else (_CODES[format], raw)
    return struct.unpack("<" + code, raw)[0]


def _cases(header, raw, format):
    """The arguments of each case, field by field in the order of the operation."""
    count = header["cases"]
    formats = {**header.get("formats", {}), **dict.fromkeys(header["integers"], "s64")}
    columns = []
    at = 0
    for name in header["fields"]:
        column = []
        kind = formats.get(name, format)
        width = struct.calcsize(_CODES[kind])
        for length in header["lengths"].get(name, [None] * count):
            size = width if length is None else length * width
            piece = raw[at : at + size]
            at += size
            column.append(_number(kind, piece) if length is None else _numbers(_CODES[kind], piece))
        columns.append(column)
    return zip(*columns)


def _packed(code, result):
    """The bytes of a result: one number, or several; bytes as they are."""
    if isinstance(result, bytes):
        return result
    if numpy is not None and isinstance(result, numpy.ndarray):
        if result.dtype.name in _PATTERNS.get(code, ()):
            result = numpy.ascontiguousarray(result).view("<" + code)
        return numpy.ascontiguousarray(result, dtype="<" + code).tobytes()
    numbers = result if hasattr(result, "__len__") else (result,)
    try:
        return struct.pack(f"<{len(numbers)}{code}", *numbers)
    except OverflowError:  # struct rounds to nearest, but refuses what rounds to an infinity
        return b"".join(_nearest(code, each) for each in numbers)


def _nearest(code, number):
    """The bytes of the number of the format that is nearest to a float."""
    try:
        return struct.pack("<" + code, number)
    except OverflowError:
        return struct.pack("<" + code, math.copysign(math.inf, number))


def serve(**functions):
    """Answers until the input ends. Each function has the name of the operation that it computes, takes the fields of a
    case in their order (`x, y` for dot), and returns a number or a sequence of numbers. Several numbers of a field are a
    NumPy array or, without NumPy, an array.array (a list for f16); one number, such as the ε of layer_norm, is a Python
    number. Numbers of bf16, e4m3 and e5m2 in an array, and in a result, are their patterns, as unsigned integers; a
    result may also be an array of ml_dtypes. The result of `quantize` is a tuple of arrays of NumPy or array.arrays. The output that it prints goes to standard error. An exception is reported
    to Assay, which counts it as a crash on that case."""
    _serve(functions.get)


def serve_formula(formula, function):
    """Answers until the input ends. formula: a file, a text, or the name of a shipped one. The function takes the
    parameters of the formula in their shapes, and returns an array of the shape of the result, as assay.check has it.
    Needs NumPy and the library of the judge."""
    from .judge import Judge

    graph = Judge(formula=formula).graph
    axes, parameters = [each["name"] for each in graph["axes"]], graph["parameters"]

    def computed(*given):
        lengths = dict(zip(axes, given))
        arrays = [
            numbers.reshape([lengths[axis] for axis in each["axes"]]) if each["axes"] else numbers
            for each, numbers in zip(parameters, given[-len(parameters) :])
        ]
        result = function(*arrays)
        return result.reshape(-1) if getattr(result, "shape", ()) else result

    _serve({graph["formula"]: computed}.get)


def _serve(function_of, takes_shapes=None):
    """Answers by the function that function_of(operation) gives; None for an operation that is not computed. Where the
    greeting describes the arguments of a call, by the function that takes_shapes(fields, arguments) gives."""
    source = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def answer(header, raw=b"", framed=True):
        text = json.dumps(header).encode()
        answers.write(struct.pack("<I", len(text)) + text + raw if framed else text + b"\n")
        answers.flush()

    greeting = json.loads(source.readline())
    function = function_of(greeting["operation"])
    of_inputs, _, of_results = greeting["format"].partition(":")
    if greeting["operation"] == "convert":  # any other format has its codes as unsigned integers
        for each in (of_inputs, of_results):
            _CODES.setdefault(each, "b" if each in ("int8", "int4") else "B")
    of_result = _CODES.get(of_results or of_inputs)
    if greeting["operation"] == "quantize" and function is not None:
        of_result, function = "B", _in_bytes(function)
    if greeting["protocol"] != 1 or of_inputs not in _CODES or None in (function, of_result):
        answer({"error": f"no {greeting['operation']} in {greeting['format']} here"}, framed=False)
        return
    answer({"protocol": 1}, framed=False)
    while len(prefix := source.read(4)) == 4:
        header = json.loads(source.read(struct.unpack("<I", prefix)[0]))
        if takes_shapes is not None and "arguments" in greeting:
            function, takes_shapes = takes_shapes(header["fields"], greeting["arguments"]), None
        raw = source.read(header["bytes"])
        try:
            packed = b"".join(_packed(of_result, function(*case)) for case in _cases(header, raw, of_inputs))
            answer({"bytes": len(packed)}, packed)
        except Exception as error:  # whatever the function raises is its answer
            answer({"error": f"{type(error).__name__}: {error}"})


def _in_bytes(function):
    """The function of a quantizer, which returns several arrays, as one of their bytes."""
    return lambda *case: b"".join(each.tobytes() for each in function(*case))


def _of_product(function, operation):
    """The function of α, op(A), op(B), β and C as one of the fields of gemm or gemv."""
    is_vector = operation in ("gemv", "gemv_n", "csrmv")

    def matrix(values, batch, stride, rows, columns, steps):
        shape, strides = ((rows, columns), steps) if batch == 1 else ((batch, rows, columns), (stride, *steps))
        return numpy.lib.stride_tricks.as_strided(values, shape, [each * values.itemsize for each in strides])

    def computed(trans_a, trans_b, m, n, k, lda, ldb, ldc, batch, stride_a, stride_b, stride_c, alpha, a, b, beta, c):
        of_a = matrix(a, batch, stride_a, m, k, (lda, 1) if trans_a else (1, lda))
        of_b = matrix(b, batch, stride_b, k, n, (ldb, 1) if trans_b else (1, ldb))
        of_c = matrix(c, batch, stride_c, m, n, (1, ldc))
        if is_vector:
            of_b, of_c = (each[:, 0] if n else each.reshape(0) for each in (of_b, of_c))
        if not is_vector or n:
            of_c[...] = function(c.dtype.type(alpha), of_a, of_b, c.dtype.type(beta), of_c.copy())
        return c

    return computed


def _of_matmul(function):
    """The function of A and B as one of the fields of matmul."""

    def computed(batch, m, n, k, a, b):
        lead = () if batch == 1 else (batch,)
        return function(a.reshape(*lead, m, k), b.reshape(*lead, k, n)).reshape(-1)

    return computed


def _of_epilogue(function):
    """The function of α, A, B, β and C as one of the fields of matmul_epilogue."""

    def computed(batch, m, n, k, alpha, a, b, beta, c):
        lead = () if batch == 1 else (batch,)
        return function(
            alpha, a.reshape(*lead, m, k), b.reshape(*lead, k, n), beta, c.reshape(*lead, m, n)
        ).reshape(-1)

    return computed


# The fields of a case for the operations whose functions may take a matrix.
_ROWS = {
    "softmax": ("rows", "columns", "x"),
    "log_softmax": ("rows", "columns", "x"),
    "layer_norm": ("rows", "columns", "eps", "x", "weight", "bias"),
    "rms_norm": ("rows", "columns", "eps", "x", "weight"),
    "spmv": ("rows", "columns", "row_offsets", "column_indices", "values", "x"),
    **dict.fromkeys(
        ("all_reduce", "all_reduce_max", "all_reduce_min", "reduce_scatter", "all_gather"), ("ranks", "n", "x")
    ),
}


def _of_rows(function, operation, fields):
    """The function of the fields of a case that calls one of these, or one of a matrix, as assay.check calls it."""
    from . import _shapes

    if callable(function) and _shapes.takes_shapes(function, operation, fields, refuse=False):
        return _shapes.of_shapes(function, operation, fields)
    return lambda *case: _shapes.flat(function(*case))


def _of_declared(function, operation):
    """The function of the fields of a case that calls one of the arrays of the operation's declaration, as assay.check
    calls it; the function itself where no declaration says their shapes, or the library is not there to be asked."""
    from . import _declared, _native

    try:
        declared = _declared.declared(operation)
    except _native.JudgeError:
        return function
    return function if declared is None else declared.fitted(function)


def _main(name, *options):
    """Serves the function of that name, "module:function", whatever operation is requested; or of a formula."""
    if options and (len(options) != 2 or options[0] != "--formula"):
        raise SystemExit("assay.subject: MODULE:FUNCTION [--formula FILE] is accepted")
    module, _, path = name.partition(":")
    function = importlib.import_module(module)
    for each in path.split("."):
        function = getattr(function, each)
    if options:
        serve_formula(options[1], function)
        return
    products = {each: _of_rows(function, each, fields) for each, fields in _ROWS.items()}
    products |= {each: _of_product(function, each) for each in ("gemm", "gemv", "gemv_n", "csrmv")}
    products["matmul"] = _of_matmul(function)
    products["quantize"] = lambda rows, columns, *of: function(*(each.reshape(rows, columns) for each in of))
    products["matmul_epilogue"] = _of_epilogue(function)

    def of_arguments(fields, arguments):
        from . import _shapes

        if callable(function) and _shapes.takes_shapes(function, "", fields, False, arguments):
            return _shapes.of_shapes(function, "", fields, arguments)
        return lambda *case: _shapes.flat(function(*case))

    _serve(lambda operation: products.get(operation) or _of_declared(function, operation), of_arguments)


if __name__ == "__main__":
    _main(*sys.argv[1:])
