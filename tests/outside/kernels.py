#!/usr/bin/env python3
"""The kernels of the outside score: correct ones, and wrong ones made from them by planted faults.

kernels.py                  counts them by operation
kernels.py --list           a line for each: operation, format, symbol, right or wrong, contracts, fault
kernels.py --source LIBRARY the C++ source of its symbols, to standard output

A correct kernel has the contracts that its author would claim. A wrong one has those of the kernel that it was made
from.
"""

import sys
from dataclasses import dataclass, field

import operations


@dataclass
class Kernel:
    """A function of a library: the operation that it computes, the contracts that its author claims, and its fault."""

    library: str
    operation: str
    format: str
    symbol: str
    contracts: tuple
    form: dict
    extra: dict = field(default_factory=dict)
    fault: str = ""  # in words; empty for a right kernel

    @property
    def is_right(self):
        return not self.fault


def words_of(change):
    """A planted fault in words."""
    return " ".join(f"{name} {value}" if name != "fault" else str(value) for name, value in change.items())


def symbol_of(operation, format_, parts, is_blas):
    text = "_".join([operation, format_, *parts]).replace(":", "_").replace(" ", "_").replace("-", "m")
    return ("cblas_" if is_blas else "") + text


def kernels():
    """All kernels, the correct ones of an operation and format before the wrong ones made from them."""
    result = []
    for right in operations.rights():
        is_blas = right.extra.get("blas", False)
        named = lambda parts: symbol_of(right.operation, right.format, [right.name, *parts], is_blas)
        result.append(Kernel(right.library, right.operation, right.format, named([]), right.contracts, right.form,
                             right.extra))
        for i, change in enumerate(right.faults):
            form = {**right.form, **change}
            if change in right.faults[:i] or form == right.form:
                continue
            if change.get("fault") == "narrow_parts" and form["narrow"] == form["sum"]:  # no number becomes another
                continue
            words = words_of(change)
            result.append(Kernel(right.library, right.operation, right.format, named([words]), right.contracts,
                                 {**right.form, **change}, right.extra, words))
    symbols = [each.symbol for each in result]
    twice = sorted({each for each in symbols if symbols.count(each) > 1})
    if twice:
        raise SystemExit(f"two kernels have the symbol {twice[0]}")
    return result


# --------------------------------------------------------------------------------------------------------- source

def value_in_c(name, value):
    if name in ("storage", "result", "sum", "narrow"):
        return f"Format::{value}"
    kinds = {"order": "Order", "way": "Way", "fault": "Fault"}
    if name in kinds:
        return f"{kinds[name]}::{value}"
    return str(value).lower()


FIELDS = ("storage", "result", "sum", "narrow", "order", "way", "fma", "flushes", "cuts", "steps", "error",
          "fault", "at")


def form_in_c(form):
    unknown = set(form) - set(FIELDS)
    if unknown:
        raise SystemExit(f"a form has no {sorted(unknown)}")
    return "Form{" + ", ".join(f".{name} = {value_in_c(name, form[name])}" for name in FIELDS if name in form) + "}"


NUMBER = {"f64": "double", "f32": "float", "f16": "std::uint16_t", "bf16": "std::uint16_t"}


def narrow_to(format_, value):
    small = {"f16": "assay::binary16", "bf16": "assay::bfloat16"}
    if format_ in small:
        return f"small_bits<{small[format_]}, std::uint16_t>({value})"
    return f"static_cast<{NUMBER[format_]}>({value})"


def widened(format_, name):
    """A scalar argument as double."""
    small = {"f16": "assay::binary16", "bf16": "assay::bfloat16"}
    number = f"{small[format_]}::of_bits({name})" if format_ in small else name
    return f"static_cast<double>({number})"


def reduction(kernel, form):
    number = NUMBER[kernel.format]
    of_two = kernel.operation == "dot"
    what = f"Reduction::{kernel.operation}"
    if kernel.extra.get("blas"):
        arguments = "int n, const void* x, int incx" + (", const void* y, int incy" if of_two else "")
        vectors = "{x, {}, 0, incx}" + (", {y, {}, 0, incy}" if of_two else "")
        count = "static_cast<Size>(n)"
    else:
        arguments = "Size n, const void* x" + (", const void* y" if of_two else "")
        vectors = "{x, {}, 0}" + (", {y, {}, 0}" if of_two else "")
        count = "n"
    call = narrow_to(kernel.format, f"reduction({form}, {what}, {count}, {vectors})")
    return f"{number} {kernel.symbol}({arguments}) {{ return {call}; }}"


def vectors(kernel, form):
    if kernel.operation == "cumsum":
        return f"void {kernel.symbol}(Size n, const void* x, void* y) {{ cumsum({form}, n, x, y); }}"
    alpha = widened(kernel.format, "alpha")
    return (f"void {kernel.symbol}(Size n, {NUMBER[kernel.format]} alpha, const void* x, void* y) {{ "
            f"axpy({form}, n, {alpha}, x, y, y); }}")


def softmax(kernel, form):
    masked = f"Masked::{kernel.extra.get('masked', 'nan')}"
    is_log = "true" if kernel.operation == "log_softmax" else "false"
    return (f"void {kernel.symbol}(Size rows, Size columns, const void* x, void* y) {{ "
            f"softmax({form}, {is_log}, {masked}, rows, columns, x, y); }}")


def norm(kernel, form):
    bias = "const void* bias, " if kernel.operation == "layer_norm" else ""
    of_bias = "bias" if bias else "nullptr"
    return (f"void {kernel.symbol}(Size rows, Size columns, {NUMBER[kernel.format]} eps, const void* x, "
            f"const void* weight, {bias}void* y) {{ "
            f"norm({form}, {{rows, columns, {widened(kernel.format, 'eps')}, x, weight, {of_bias}}}, y); }}")


def product(kernel, form):
    sizes = "Size batch, Size m, Size n, Size k"
    if kernel.operation == "matmul":
        return (f"void {kernel.symbol}({sizes}, const void* a, const void* b, void* d) {{ "
                f"products({form}, {{batch, m, n, k, 1, a, b, 0, nullptr}}, d); }}")
    scalar = "double" if kernel.format == "f64" else "float"
    return (f"void {kernel.symbol}({sizes}, {scalar} alpha, const void* a, const void* b, {scalar} beta, "
            f"const void* c, void* d) {{ products({form}, {{batch, m, n, k, static_cast<double>(alpha), a, b, "
            f"static_cast<double>(beta), c}}, d); }}")


def gemm(kernel, form):
    number = NUMBER[kernel.format]
    if kernel.operation == "gemm":
        return (f"void {kernel.symbol}(int, int ta, int tb, int m, int n, int k, {number} alpha, const void* a, "
                f"int lda, const void* b, int ldb, {number} beta, void* c, int ldc) {{ gemm({form}, ta, tb, m, n, k, "
                f"static_cast<double>(alpha), a, lda, b, ldb, static_cast<double>(beta), c, ldc); }}")
    return (f"void {kernel.symbol}(int, int t, int m, int n, {number} alpha, const void* a, int lda, const void* x, "
            f"int incx, {number} beta, void* y, int) {{ gemv({form}, t, m, n, static_cast<double>(alpha), a, lda, x, "
            f"incx, static_cast<double>(beta), y); }}")


def system(kernel, form):
    if kernel.operation == "spmv":
        return (f"void {kernel.symbol}(Size rows, Size columns, const std::int32_t* offsets, "
                f"const std::int32_t* indices, const void* values, const void* x, void* y) {{ "
                f"spmv({form}, {{rows, columns, offsets, indices, values, x}}, y); }}")
    if kernel.operation == "csrmv":
        number = NUMBER[kernel.format]
        return (f"void {kernel.symbol}(Size rows, Size columns, {number} alpha, const std::int32_t* offsets, "
                f"const std::int32_t* indices, const void* values, const void* x, {number} beta, void* y) {{ "
                f"csrmv({form}, {{rows, columns, offsets, indices, values, x}}, static_cast<double>(alpha), "
                f"static_cast<double>(beta), y); }}")
    return (f"void {kernel.symbol}(int upper, int trans, int unit, Size n, const void* a, Size lda, void* x) {{ "
            f"trsv({form}, {{upper != 0, trans != 0, unit != 0, n, a, lda}}, x); }}")


PLANE = ("b", "g", "ci", "co", "h", "w", "r", "s", "i", "j", "stride_h", "stride_w", "padding_h", "padding_w",
         "dilation_h", "dilation_w")
LINE = ("b", "g", "ci", "co", "n", "r", "m", "stride", "padding", "dilation")


def convolution(kernel, form):
    operation = kernel.operation
    names, lengths = {"convolution1d": (LINE, "of_line({})"), "convolve": (("m", "n"), "of_whole(1, m, 1, n)"),
                      "convolve2d": (PLANE[4:8], "of_whole({})")}.get(operation, (PLANE, "Lengths{{{}}}"))
    role = {"convolve": "whole", "convolve2d": "whole", "convolution2d_backward_x": "to_x",
            "convolution2d_backward_k": "to_k"}.get(operation, "forward")
    is_plane = "false" if operation in ("convolution1d", "convolve") else "true"
    bias = "const void* bias, " if operation == "convolution2d_bias" else ""
    sizes = ", ".join(f"Size {name}" for name in names)
    return (f"void {kernel.symbol}({sizes}, const void* x, const void* k, {bias}void* y) {{ convolution({form}, "
            f"Role::{role}, {is_plane}, {lengths.format(', '.join(names))}, x, k, {'bias' if bias else 'nullptr'}, y); "
            f"}}")


def collective(kernel, form):
    is_for_all = "true" if kernel.operation == "all_reduce" else "false"
    return (f"void {kernel.symbol}(Size ranks, Size n, const void* x, void* y) {{ "
            f"collective({form}, {is_for_all}, ranks, n, x, y); }}")


def function(kernel, form):
    return (f"void {kernel.symbol}(Size n, const void* x, void* y) {{ "
            f"function({form}, Function::{kernel.operation}, n, x, y); }}")


def words(kernel, form):
    operation = kernel.operation
    if operation in ("two_sum", "two_prod"):
        what = "sum" if operation == "two_sum" else "product"
        return (f"void {kernel.symbol}(Size n, const void* a, const void* b, void* s, void* e) {{ "
                f"transform({form}, Transform::{what}, n, a, b, s, e); }}")
    what = {"dw_add": "add", "dw_mul": "multiply", "dw_div": "divide", "dw_sqrt": "root"}[operation]
    of_y = "" if operation == "dw_sqrt" else "const void* yh, const void* yl, "
    y = "nullptr, nullptr" if operation == "dw_sqrt" else "yh, yl"
    return (f"void {kernel.symbol}(Size n, const void* xh, const void* xl, {of_y}void* zh, void* zl) {{ "
            f"double_words({form}, Operation::{what}, n, xh, xl, {y}, zh, zl); }}")


WRAPPERS = {"reductions": reduction, "vectors": vectors, "softmax": softmax, "norms": norm, "products": product,
            "gemm": gemm, "systems": system, "collectives": collective, "convolutions": convolution,
            "functions": function, "words": words}


def source(library):
    lines = ['extern "C" {']
    for kernel in kernels():
        if kernel.library == library:
            lines.append(WRAPPERS[library](kernel, form_in_c(kernel.form)))
    lines.append('}  // extern "C"')
    return "\n".join(lines) + "\n"


# --------------------------------------------------------------------------------------------------------- counts

def counts(all_kernels):
    """The numbers of wrong and of right kernels by operation."""
    found = {}
    for kernel in all_kernels:
        wrong, right = found.get(kernel.operation, (0, 0))
        found[kernel.operation] = (wrong + (not kernel.is_right), right + kernel.is_right)
    return found


def main(arguments):
    if arguments[:1] == ["--source"] and len(arguments) == 2:
        sys.stdout.write(source(arguments[1]))
    elif arguments == ["--list"]:
        for each in kernels():
            kind = "right" if each.is_right else "wrong"
            print(each.operation, each.format, each.symbol, kind, ",".join(each.contracts), each.fault, sep="\t")
    elif not arguments:
        by_operation = counts(kernels())
        for operation, (wrong, right) in by_operation.items():
            print(f"{operation}: {wrong} wrong, {right} right")
        wrong, right = (sum(each[i] for each in by_operation.values()) for i in (0, 1))
        print(f"all: {wrong} wrong, {right} right")
        return 0 if wrong >= 600 and right >= 250 else 1
    else:
        raise SystemExit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
