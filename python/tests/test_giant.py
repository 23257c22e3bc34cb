"""Results with more than 2^31 elements, judged where they lie. Most of their numbers are zeros, in memory that is not
taken until it is written: 9 GB are needed for the prefix sums, 1 GB for the others."""

import mmap
import os

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402

N = 2**31 + 1
LAST = numpy.float32(3)


def free_memory():
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def with_a_last_number():
    """N numbers of binary32, of which the last one alone is not 0."""
    memory = mmap.mmap(-1, 4 * N, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(mmap.MADV_NOHUGEPAGE)
    x = numpy.frombuffer(memory, numpy.float32)
    x[-1] = LAST
    return x


@pytest.fixture(scope="module")
def x():
    return with_a_last_number()


WANTED = {
    "sum": lambda x: (assay.sum(x), LAST),
    "asum": lambda x: (assay.asum(x), LAST),
    "nrm2": lambda x: (assay.nrm2(x), LAST),
    "dot": lambda x: (assay.dot(x, x), LAST * LAST),
}


@pytest.mark.parametrize("operation", WANTED)
def test_number_behind_2_to_the_31_others_counts(x, operation):
    want, right = WANTED[operation](x)
    assay.assert_within(right, want, contract="faithful")
    with pytest.raises(assay.Broken):
        assay.assert_within(numpy.float32(0), want, contract="faithful")


def test_prefix_sum_behind_2_to_the_31_others_is_judged(x):
    if free_memory() < 9 << 30:
        pytest.skip(f"9 GiB of memory are needed, {free_memory()} bytes are free")
    assay.assert_within(x, assay.cumsum(x), contract="faithful")
    wrong = with_a_last_number()
    wrong[-1] = 0
    judgment = assay.cumsum(x).judge(wrong, "faithful")
    assert (judgment.verdict, judgment.component, judgment.components) == ("broken", N - 1, N)
