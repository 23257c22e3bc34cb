#pragma once
// Entries of one, two or four words of binary64, and the sums of their products.

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "exec/array.hpp"
#include "kernels/blas/triangle.hpp"
#include "kernels/expansion/blas_arguments.hpp"
#include "kernels/expansion/detail/accumulator.hpp"

namespace assay::expansion {
namespace detail {

/// Entries of W words side by side in memory. A sum of products has two words at least: with W = 1 it is the sum of
/// Dot2, and its nearest number is stored.
template <int W>
struct Entry {
  static constexpr int words = W;
  static constexpr int sum_words = W < 2 ? 2 : W;
  using Value = Expansion<double, sum_words>;
  using Sum = ExpansionAccumulator<double, sum_words>;

  ASSAY_HD static Value load(const double* p) {
    Value x{};
    ASSAY_UNROLL(W)
    for (int i = 0; i < W; ++i) x.x[i] = p[i];
    return x;
  }
  /// The same from an address that is a multiple of 16, W even: two words at a time.
  ASSAY_HD static Value load_aligned(const double* p) {
    struct alignas(16) Pair {
      double x[2];
    };
    static_assert(W % 2 == 0);
    Value x{};
    ASSAY_UNROLL(W)
    for (int i = 0; i < W; i += 2) {
      const Pair pair = *reinterpret_cast<const Pair*>(p + i);
      x.x[i] = pair.x[0];
      x.x[i + 1] = pair.x[1];
    }
    return x;
  }
  ASSAY_HD static void store(const Value& x, double* p) {
    ASSAY_UNROLL(W)
    for (int i = 0; i < W; ++i) p[i] = x.x[i];
  }
  ASSAY_HD static Value one() { return Value{{1.0}}; }
};

/// Entry (i, j) of a matrix at words[(i·row_step + j·column_step)·W].
template <int W>
struct MatrixOperand {
  const double* words;
  std::int64_t row_step;
  std::int64_t column_step;

  [[nodiscard]] ASSAY_HD const double* at(std::int64_t i, std::int64_t j) const {
    return words + (i * row_step + j * column_step) * W;
  }
  ASSAY_HD typename Entry<W>::Value operator()(std::int64_t i, std::int64_t j) const {
    return Entry<W>::load(at(i, j));
  }
};

/// launch(std::integral_constant<int, W>) for the W that equals `words`: 1, 2 or 4.
template <class Launch>
decltype(auto) with_entry_words(int words, const char* routine, Launch&& launch) {
  switch (words) {
    case 1:
      return launch(std::integral_constant<int, 1>());
    case 2:
      return launch(std::integral_constant<int, 2>());
    case 4:
      return launch(std::integral_constant<int, 4>());
    default:
      throw std::invalid_argument(std::string(routine) + ": the number of words is 1, 2 or 4, not " +
                                  std::to_string(words));
  }
}

/// A scalar of W words.
template <int W>
typename Entry<W>::Value scalar_of(std::span<const double> words) {
  return Entry<W>::load(words.data());
}

inline void require_words(int words, const char* routine) {
  with_entry_words(words, routine, [](auto) {});
}

inline void require_scalar(int words, std::span<const double> scalar, const char* routine) {
  blas::require_argument(scalar.size() == static_cast<std::size_t>(words), routine,
                         "a scalar has as many words as the entries");
}

/// The number of entries in an array of the host.
inline std::size_t entries_in(std::span<const double> array, int words, const char* routine) {
  const auto size = static_cast<std::size_t>(words);
  blas::require_argument(array.size() % size == 0, routine, "an array has as many words for each entry");
  return array.size() / size;
}

/// Copies arrays of the host to the executor, lets call(a, b, c) queue work on them there, and copies c back.
template <class Call>
std::vector<double> on_executor(const Executor& on, std::span<const double> a, std::span<const double> b,
                                std::span<const double> c, Call&& call) {
  const Array<double> first(on, a);
  const Array<double> second(on, b);
  const Array<double> result(on, c);
  call(first.data(), second.data(), result.data());
  wait(on);
  first.compare(a);
  second.compare(b);
  return result.take();
}

}  // namespace detail
}  // namespace assay::expansion
