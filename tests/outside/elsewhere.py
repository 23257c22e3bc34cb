"""Correct kernels of the tests of kernels from outside, by library, operation and format, for the operations that have
none of their own here. Together they have each contract of these operations as their strongest."""

from kernels import Kernel

FACTORS = {"potrf": "potrf potrf_of_upper", "getrf": "getrf getrf_reciprocal getrf_threshold", "gesv": "gesv",
           "getrs": "getrs", "posv": "posv", "trsm": "trsm trsm_reciprocal", "geqrf": "geqrf geqrf_modified",
           "gels": "gels", "syev": "syev", "inv": "inv inv_getri"}
#: `longer`: the roots of unity are off by almost as much as the contracts of computed roots admit.
TRANSFORMS = {"fft": "fft_recursive_f32 fft_longer_f32", "ifft": "ifft_recursive_f32 ifft_longer_f32",
              "rfft": "rfft_packed_f32 rfft_longer_f32", "irfft": "irfft_packed_f32 irfft_longer_f32",
              "fft_rows": "fft_rows_recursive_f32 fft_rows_longer_f32", "fft2": "fft2_by_rows_f32 fft2_longer_f32"}
COLLECTIVES = {"all_gather": "all_gather_copies", "all_reduce_max": "all_reduce_max_propagates",
               "all_reduce_min": "all_reduce_min_propagates"}
OF_BINARY32 = {"copysign": "copysign_f32 copysign_without_nan", "nextafter": "nextafter_without_negative_zero"}
OF_BINARY16 = {"nextafter": "nextafter_f16"}


def kernels():
    """The kernels; their libraries have the names of files."""
    for library, format_, of in (("factors", "f64", FACTORS), ("transforms", "f32", TRANSFORMS),
                                 ("collectives", "f64", COLLECTIVES), ("scalars", "f32", OF_BINARY32),
                                 ("scalars", "f16", OF_BINARY16)):
        for operation, symbols in of.items():
            for symbol in symbols.split():
                yield Kernel(f"hostile_{library}", operation, format_, symbol, (), {})
