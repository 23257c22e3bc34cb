"""The correct kernels of all operations."""

from of_arrays import norms, reductions, softmaxes, vectors
from of_collectives import collectives
from of_convolutions import convolutions
from of_matrices import gemms, products, systems
from of_numbers import functions, words


def rights():
    """All right kernels."""
    for make in (reductions, vectors, softmaxes, norms, products, gemms, systems, collectives, convolutions, functions,
                 words):
        yield from make()
