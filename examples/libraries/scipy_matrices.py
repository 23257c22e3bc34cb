"""Factorizations, transforms and convolutions of SciPy; convolutions by the method that the argument names."""

import sys

import numpy
import scipy.fft
import scipy.linalg
import scipy.signal
from assay.subject import serve


def matrix(rows, columns, a):
    return a.reshape(columns, rows).T


def columns_of(*arrays):
    return numpy.concatenate([each.T.ravel() for each in arrays])


def complex_of(x):
    return numpy.ascontiguousarray(x).view({"f4": "c8", "f8": "c16"}[x.dtype.str[1:]])


def parts_of(y):
    return numpy.stack([y.real, y.imag], axis=-1).ravel()


def of_signal(function):
    return lambda x: parts_of(function(complex_of(x))) if len(x) else x


def of_plane(function):
    return lambda rows, columns, x: (
        parts_of(function(complex_of(x).reshape(rows, columns))) if len(x) else x)


def convolved2d(function):
    return lambda h, w, r, s, x, k: function(x.reshape(h, w), k.reshape(r, s)).ravel()


METHODS = {
    "direct": (lambda x, k: scipy.signal.convolve(x, k, method="direct"), scipy.signal.convolve2d),
    "fft": (scipy.signal.fftconvolve, scipy.signal.fftconvolve),
    "overlapped": (scipy.signal.oaconvolve, scipy.signal.oaconvolve),
}
of_vectors, of_matrices = METHODS[sys.argv[1]]

numpy.seterr(all="ignore")
serve(
    gesv=lambda n, a, b: scipy.linalg.solve(matrix(n, n, a), b, check_finite=False),
    posv=lambda n, a, b: scipy.linalg.solve(matrix(n, n, a), b, assume_a="pos", lower=True, check_finite=False),
    inv=lambda n, a: columns_of(scipy.linalg.inv(matrix(n, n, a), check_finite=False)) if n else a,
    potrf=lambda n, a: columns_of(scipy.linalg.cholesky(matrix(n, n, a), lower=True, check_finite=False)),
    geqrf=lambda m, n, a: (
        columns_of(*scipy.linalg.qr(matrix(m, n, a), mode="economic", check_finite=False)) if len(a) else a),
    gels=lambda m, n, a, b: scipy.linalg.lstsq(matrix(m, n, a), b, check_finite=False)[0],
    syev=lambda n, a: columns_of(*scipy.linalg.eigh(matrix(n, n, a))) if n else a,
    fft=of_signal(scipy.fft.fft),
    ifft=of_signal(scipy.fft.ifft),
    rfft=lambda x: parts_of(scipy.fft.rfft(x)) if len(x) else x,
    irfft=lambda n, x: scipy.fft.irfft(complex_of(x), n) if n else x[:0],
    fft_rows=of_plane(lambda x: scipy.fft.fft(x, axis=1)),
    fft2=of_plane(scipy.fft.fft2),
    convolve=of_vectors,
    convolve2d=convolved2d(of_matrices),
)
