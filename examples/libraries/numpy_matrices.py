"""Factorizations, transforms and convolutions of NumPy."""

import numpy
from assay.subject import serve


def matrix(rows, columns, a):
    return a.reshape(columns, rows).T


def columns_of(*arrays):
    return numpy.concatenate([each.T.ravel() for each in arrays])


def complex_of(x):
    return x.astype(float).view(complex)


def parts_of(y):
    return numpy.stack([y.real, y.imag], axis=-1).ravel()


def of_signal(function):
    return lambda x: parts_of(function(complex_of(x))) if len(x) else x


def of_plane(function):
    return lambda rows, columns, x: (
        parts_of(function(complex_of(x).reshape(rows, columns))) if len(x) else x)


numpy.seterr(all="ignore")
serve(
    gesv=lambda n, a, b: numpy.linalg.solve(matrix(n, n, a), b),
    inv=lambda n, a: columns_of(numpy.linalg.inv(matrix(n, n, a))),
    potrf=lambda n, a: columns_of(numpy.linalg.cholesky(matrix(n, n, a))),
    geqrf=lambda m, n, a: columns_of(*numpy.linalg.qr(matrix(m, n, a))),
    gels=lambda m, n, a, b: numpy.linalg.lstsq(matrix(m, n, a), b, rcond=None)[0],
    syev=lambda n, a: columns_of(*numpy.linalg.eigh(matrix(n, n, a))),
    fft=of_signal(numpy.fft.fft),
    ifft=of_signal(numpy.fft.ifft),
    rfft=lambda x: parts_of(numpy.fft.rfft(x)) if len(x) else x,
    irfft=lambda n, x: numpy.fft.irfft(complex_of(x), n) if n else x[:0],
    fft_rows=of_plane(lambda x: numpy.fft.fft(x, axis=1)),
    fft2=of_plane(numpy.fft.fft2),
    convolve=numpy.convolve,
)
