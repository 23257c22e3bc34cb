// Collective operations of ranks that live in one process, good and bad, for the tests of kernels from outside.
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "arith/float/small_float.hpp"

namespace {

/// What each rank holds.
template <class T>
using Arrays = std::vector<std::vector<T>>;

template <class T>
Arrays<T> arrays_of(std::size_t ranks, std::size_t n, const T* x) {
  Arrays<T> arrays;
  for (std::size_t rank = 0; rank < ranks; ++rank) arrays.emplace_back(x + rank * n, x + (rank + 1) * n);
  return arrays;
}

template <class T>
void write(const Arrays<T>& arrays, T* y) {
  for (const std::vector<T>& each : arrays) {
    for (const T& number : each) *y++ = number;
  }
}

/// A chain over the ranks first, first + 1, … and round, of the numbers at index i.
template <class T>
T chain(const Arrays<T>& arrays, std::size_t first, std::size_t i) {
  T sum = arrays[first][i];
  for (std::size_t k = 1; k < arrays.size(); ++k) sum = sum + arrays[(first + k) % arrays.size()][i];
  return sum;
}

/// One rank collects, result(arrays, i) for each index, and sends the results to all.
template <class T, class Result>
void by_one_rank(std::size_t ranks, std::size_t n, const T* x, T* y, const Result& result) {
  const Arrays<T> arrays = arrays_of(ranks, n, x);
  for (std::size_t i = 0; i < n; ++i) {
    const T got = result(arrays, i);
    for (std::size_t rank = 0; rank < ranks; ++rank) y[rank * n + i] = got;
  }
}

/// The block of index i, where n numbers are cut in as many blocks as there are ranks, the first ones longer.
std::size_t block_of(std::size_t i, std::size_t n, std::size_t ranks) {
  const std::size_t longer = n % ranks;
  const std::size_t length = n / ranks;
  return i < longer * (length + 1) ? i / (length + 1) : longer + (i - longer * (length + 1)) / length;
}

template <class T>
void gather_and_broadcast(std::size_t ranks, std::size_t n, const T* x, T* y) {
  by_one_rank(ranks, n, x, y, [](const Arrays<T>& arrays, std::size_t i) { return chain(arrays, 0, i); });
}

template <class T>
void ring(std::size_t ranks, std::size_t n, const T* x, T* y) {
  by_one_rank(ranks, n, x, y,
              [&](const Arrays<T>& arrays, std::size_t i) { return chain(arrays, block_of(i, n, ranks), i); });
}

/// In round j rank r takes in what rank r + 2ʲ has.
template <class T>
void tree(std::size_t ranks, std::size_t n, const T* x, T* y) {
  by_one_rank(ranks, n, x, y, [&](const Arrays<T>& arrays, std::size_t i) {
    std::vector<T> sums;
    for (const std::vector<T>& each : arrays) sums.push_back(each[i]);
    for (std::size_t step = 1; step < ranks; step *= 2) {
      for (std::size_t rank = 0; rank + step < ranks; rank += 2 * step) sums[rank] = sums[rank] + sums[rank + step];
    }
    return sums[0];
  });
}

/// Every rank combines what it has with what its partner has; op(mine, theirs).
template <class T, class Op>
void recursive_doubling_by(std::size_t ranks, std::size_t n, const T* x, T* y, const Op& op) {
  Arrays<T> arrays = arrays_of(ranks, n, x);
  const std::size_t whole = std::bit_floor(ranks);
  const std::size_t extra = ranks - whole;
  // Of the first 2·extra ranks, the odd ones take in what the even ones have.
  std::vector<std::size_t> members;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    if (rank >= 2 * extra || rank % 2 == 1) members.push_back(rank);
    if (rank >= 2 * extra || rank % 2 == 0) continue;
    for (std::size_t i = 0; i < n; ++i) arrays[rank][i] = op(arrays[rank][i], arrays[rank - 1][i]);
  }
  for (std::size_t distance = 1; distance < whole; distance *= 2) {
    const Arrays<T> before = arrays;
    for (std::size_t k = 0; k < whole; ++k) {
      const std::size_t mine = members[k];
      const std::size_t theirs = members[k ^ distance];
      for (std::size_t i = 0; i < n; ++i) arrays[mine][i] = op(before[mine][i], before[theirs][i]);
    }
  }
  for (std::size_t rank = 0; rank < 2 * extra; rank += 2) arrays[rank] = arrays[rank + 1];
  write(arrays, y);
}
template <class T>
void recursive_doubling(std::size_t ranks, std::size_t n, const T* x, T* y) {
  recursive_doubling_by(ranks, n, x, y, [](const T& a, const T& b) { return a + b; });
}

template <class T>
T flushed(T x) {
  return std::fabs(x) < std::numeric_limits<T>::min() ? std::copysign(T{}, x) : x;
}

double larger(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

}  // namespace

// ------------------------------------------------------------------------------------------------------------- right

#define OF_FORMAT(name, T)                                                                           \
  extern "C" void all_reduce_##name##_gather(std::size_t ranks, std::size_t n, const T* x, T* y) {   \
    gather_and_broadcast(ranks, n, x, y);                                                            \
  }                                                                                                  \
  extern "C" void all_reduce_##name##_ring(std::size_t ranks, std::size_t n, const T* x, T* y) {     \
    ring(ranks, n, x, y);                                                                            \
  }                                                                                                  \
  extern "C" void all_reduce_##name##_tree(std::size_t ranks, std::size_t n, const T* x, T* y) {     \
    tree(ranks, n, x, y);                                                                            \
  }                                                                                                  \
  extern "C" void all_reduce_##name##_doubling(std::size_t ranks, std::size_t n, const T* x, T* y) { \
    recursive_doubling(ranks, n, x, y);                                                              \
  }
OF_FORMAT(f64, double)
OF_FORMAT(f32, float)
OF_FORMAT(f16, assay::binary16)
OF_FORMAT(bf16, assay::bfloat16)
#undef OF_FORMAT

extern "C" {

/// Binary32 on the way, stored once.
void all_reduce_bf16_in_f32(std::size_t ranks, std::size_t n, const assay::bfloat16* x, assay::bfloat16* y) {
  by_one_rank(ranks, n, x, y, [](const Arrays<assay::bfloat16>& arrays, std::size_t i) {
    float sum = static_cast<float>(arrays[0][i]);
    for (std::size_t rank = 1; rank < arrays.size(); ++rank) sum += static_cast<float>(arrays[rank][i]);
    return assay::bfloat16(sum);
  });
}

// ------------------------------------------------------------------------------------------------------------- wrong

void all_reduce_adds_twice(std::size_t ranks, std::size_t n, const double* x, double* y) {
  by_one_rank(ranks, n, x, y, [](const Arrays<double>& arrays, std::size_t i) {
    return chain(arrays, 0, i) + (arrays.size() > 1 ? arrays.back()[i] : -0.0);
  });
}

/// Every rank begins with its own numbers: the sums of two ranks differ in the last place.
void all_reduce_own_first(std::size_t ranks, std::size_t n, const double* x, double* y) {
  const Arrays<double> arrays = arrays_of(ranks, n, x);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    for (std::size_t i = 0; i < n; ++i) y[rank * n + i] = chain(arrays, rank, i);
  }
}

/// Rank 1 has the next number at the last index.
void all_reduce_last_bit(std::size_t ranks, std::size_t n, const double* x, double* y) {
  gather_and_broadcast(ranks, n, x, y);
  if (ranks < 2 || n == 0 || !std::isfinite(y[2 * n - 1])) return;
  y[2 * n - 1] = std::nextafter(y[2 * n - 1], std::numeric_limits<double>::infinity());
}

/// Sums of bfloat16 travel where binary32 is promised.
void all_reduce_in_bf16(std::size_t ranks, std::size_t n, const float* x, float* y) {
  by_one_rank(ranks, n, x, y, [](const Arrays<float>& arrays, std::size_t i) {
    assay::bfloat16 sum(arrays[0][i]);
    for (std::size_t rank = 1; rank < arrays.size(); ++rank)
      sum = assay::bfloat16(static_cast<float>(sum) + arrays[rank][i]);
    return static_cast<float>(sum);
  });
}

/// The last rank is left out of the n % 4 numbers behind the whole groups of four.
void all_reduce_without_tail(std::size_t ranks, std::size_t n, const double* x, double* y) {
  by_one_rank(ranks, n, x, y, [n](const Arrays<double>& arrays, std::size_t i) {
    double sum = arrays[0][i];
    const std::size_t count = i >= n / 4 * 4 && arrays.size() > 1 ? arrays.size() - 1 : arrays.size();
    for (std::size_t rank = 1; rank < count; ++rank) sum += arrays[rank][i];
    return sum;
  });
}

/// Long arrays are added by another algorithm.
void all_reduce_by_length(std::size_t ranks, std::size_t n, const double* x, double* y) {
  (n < 200 ? gather_and_broadcast<double> : tree<double>)(ranks, n, x, y);
}

/// Ranks are added in the order in which they come, another one in each call.
void all_reduce_as_they_come(std::size_t ranks, std::size_t n, const double* x, double* y) {
  static std::size_t calls = 0;
  ++calls;
  by_one_rank(ranks, n, x, y,
              [](const Arrays<double>& arrays, std::size_t i) { return chain(arrays, calls % arrays.size(), i); });
}

/// The results of the call before, where it had as many.
void all_reduce_previous(std::size_t ranks, std::size_t n, const double* x, double* y) {
  static std::vector<double> last;
  std::vector<double> now(ranks * n);
  gather_and_broadcast(ranks, n, x, now.data());
  std::swap(now, last);
  for (std::size_t k = 0; k < ranks * n; ++k) y[k] = k < now.size() ? now[k] : 0;
}

/// Adds to a buffer of zeros.
void all_reduce_from_zero(std::size_t ranks, std::size_t n, const double* x, double* y) {
  by_one_rank(ranks, n, x, y, [](const Arrays<double>& arrays, std::size_t i) { return 0.0 + chain(arrays, 0, i); });
}

void all_reduce_flushes(std::size_t ranks, std::size_t n, const double* x, double* y) {
  by_one_rank(ranks, n, x, y, [](const Arrays<double>& arrays, std::size_t i) {
    double sum = flushed(arrays[0][i]);
    for (std::size_t rank = 1; rank < arrays.size(); ++rank) sum = flushed(sum + flushed(arrays[rank][i]));
    return sum;
  });
}

/// NaN counts as nothing.
void all_reduce_drops_nan(std::size_t ranks, std::size_t n, const double* x, double* y) {
  by_one_rank(ranks, n, x, y, [](const Arrays<double>& arrays, std::size_t i) {
    double sum = -0.0;
    for (const std::vector<double>& each : arrays) sum += std::isnan(each[i]) ? -0.0 : each[i];
    return sum;
  });
}

// ------------------------------------------------------------------------------------------ largest and least numbers

void all_reduce_max_propagates(std::size_t ranks, std::size_t n, const double* x, double* y) {
  recursive_doubling_by(ranks, n, x, y, larger);
}
void all_reduce_max_number(std::size_t ranks, std::size_t n, const double* x, double* y) {
  recursive_doubling_by(ranks, n, x, y, [](double a, double b) {
    return std::isnan(a) ? b : std::isnan(b) ? a : larger(a, b);
  });
}
/// The larger one by a comparison alone: it is b where one of the two is NaN.
void all_reduce_max_compares(std::size_t ranks, std::size_t n, const double* x, double* y) {
  recursive_doubling_by(ranks, n, x, y, [](double a, double b) { return a > b ? a : b; });
}
/// Of the magnitudes.
void all_reduce_max_magnitude(std::size_t ranks, std::size_t n, const double* x, double* y) {
  recursive_doubling_by(ranks, n, x, y, [](double a, double b) { return std::fabs(a) > std::fabs(b) ? a : b; });
}
void all_reduce_min_propagates(std::size_t ranks, std::size_t n, const double* x, double* y) {
  recursive_doubling_by(ranks, n, x, y, [](double a, double b) { return -larger(-a, -b); });
}

// ------------------------------------------------------------------------------------------------- scatter and gather

/// x: of each rank a block of n numbers for each rank. One rank adds all.
void reduce_scatter_gather(std::size_t ranks, std::size_t n, const double* x, double* y) {
  const Arrays<double> arrays = arrays_of(ranks, ranks * n, x);
  for (std::size_t i = 0; i < ranks * n; ++i) y[i] = chain(arrays, 0, i);
}
/// The chain of a block ends at the rank that gets it.
void reduce_scatter_ring(std::size_t ranks, std::size_t n, const double* x, double* y) {
  const Arrays<double> arrays = arrays_of(ranks, ranks * n, x);
  for (std::size_t i = 0; i < ranks * n; ++i) y[i] = chain(arrays, (i / n + 1) % ranks, i);
}
/// Every rank gets the block of its neighbour.
void reduce_scatter_shifted(std::size_t ranks, std::size_t n, const double* x, double* y) {
  const Arrays<double> arrays = arrays_of(ranks, ranks * n, x);
  for (std::size_t i = 0; i < ranks * n; ++i) y[(i + n) % (ranks * n)] = chain(arrays, 0, i);
}

void all_gather_copies(std::size_t ranks, std::size_t n, const double* x, double* y) {
  for (std::size_t rank = 0; rank < ranks && n > 0; ++rank) std::memcpy(y + rank * ranks * n, x, ranks * n * sizeof *x);
}
/// Through an addition of 0.
void all_gather_adds_zero(std::size_t ranks, std::size_t n, const double* x, double* y) {
  for (std::size_t k = 0; k < ranks * ranks * n; ++k) y[k] = x[k % (ranks * n)] + 0.0;
}
/// No rank sends to itself.
void all_gather_without_own(std::size_t ranks, std::size_t n, const double* x, double* y) {
  for (std::size_t k = 0; k < ranks * ranks * n; ++k) {
    if (k / (ranks * n) != k % (ranks * n) / n || ranks == 1) y[k] = x[k % (ranks * n)];
  }
}

}  // extern "C"
