#include "kernels/sum/accurate_sum.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "arith/accumulators/accumulating_expansion.hpp"
#include "arith/accumulators/accurate_sum.hpp"
#include "arith/accumulators/superaccumulator.hpp"
#include "exec/array.hpp"
#include "exec/launch.hpp"

namespace assay::sum {
namespace {

enum class Algorithm { acc_sum, acc_sum_k, near_sum, fast_acc_sum, prec_sum };

/// Result i, or its k words, of the vector i, in place. One kernel for all algorithms, so that each is compiled once.
template <class T>
struct AccurateSumBody {
  Algorithm algorithm;
  int k;
  T* x;
  const std::size_t* offsets;
  T* results;
  ASSAY_HD void operator()(std::size_t i) const {
    T* const p = x + offsets[i];
    const auto n = static_cast<std::int64_t>(offsets[i + 1] - offsets[i]);
    switch (algorithm) {
      case Algorithm::acc_sum:
        results[i] = assay::acc_sum(p, n);
        break;
      case Algorithm::acc_sum_k:
        assay::acc_sum_k(p, n, k, results + i * static_cast<std::size_t>(k));
        break;
      case Algorithm::near_sum:
        results[i] = assay::near_sum(p, n);
        break;
      case Algorithm::fast_acc_sum:
        results[i] = assay::fast_acc_sum(p, n);
        break;
      case Algorithm::prec_sum:
        results[i] = assay::prec_sum(p, n, k);
        break;
    }
  }
};

template <class T>
struct SignBody {
  T* x;
  const std::size_t* offsets;
  std::int32_t* results;
  ASSAY_HD void operator()(std::size_t i) const {
    results[i] = assay::acc_sign(x + offsets[i], static_cast<std::int64_t>(offsets[i + 1] - offsets[i]));
  }
};

/// The sum of x, or the dot product of x and y, in N words and a superaccumulator.
template <int N>
struct AccumulatorBody {
  const double* x;
  const double* y;  ///< or nullptr
  const std::size_t* offsets;
  Rounding to;
  double* results;
  ASSAY_HD void operator()(std::size_t i) const {
    Superaccumulator exact{};
    auto front = AccumulatingExpansion<N>::empty();
    for (std::size_t j = offsets[i]; j < offsets[i + 1]; ++j) {
      if (y != nullptr) {
        front.add_product(x[j], y[j], exact);
      } else {
        front.add(x[j], exact);
      }
    }
    front.flush(exact);
    results[i] = exact.round(to);
  }
};

template <>
struct AccumulatorBody<0> {
  const double* x;
  const double* y;
  const std::size_t* offsets;
  Rounding to;
  double* results;
  ASSAY_HD void operator()(std::size_t i) const {
    Superaccumulator exact{};
    for (std::size_t j = offsets[i]; j < offsets[i + 1]; ++j) {
      if (y != nullptr) {
        exact.add_product(x[j], y[j]);
      } else {
        exact.add(x[j]);
      }
    }
    results[i] = exact.round(to);
  }
};

void check_offsets(Offsets offsets, std::size_t size, std::int64_t most) {
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    if (offsets[i] > offsets[i + 1]) throw std::invalid_argument("the offsets of a batch of vectors decrease");
    if (offsets[i + 1] - offsets[i] > static_cast<std::uint64_t>(most)) {
      throw std::invalid_argument("a vector is longer than this summation allows");
    }
  }
  if (!offsets.empty() && offsets.back() > size) {
    throw std::invalid_argument("the offsets of a batch of vectors end after its data");
  }
}

/// `words` results for each vector, of `body(count, workspace, offsets, results)` on a copy of x.
template <class Result, class T, class Launch>
std::vector<Result> in_place(const Executor& on, std::size_t words, std::int64_t most, std::span<const T> x,
                             Offsets offsets, const Launch& launch) {
  check_offsets(offsets, x.size(), most);
  if (offsets.size() < 2) return {};
  const std::size_t count = offsets.size() - 1;
  const Array<std::size_t> ends(on, offsets);
  const Array<T> workspace(on, x);
  const Array<Result> results(on, count * words);
  launch(count, workspace.data(), ends.data(), results.data());
  ends.compare(offsets);
  return results.take();
}

template <class T>
std::vector<T> sums(const Executor& on, Algorithm algorithm, int k, std::span<const T> x, Offsets offsets) {
  if (k < 1) throw std::invalid_argument("a sum has at least one word");
  const std::int64_t most = algorithm == Algorithm::fast_acc_sum ? most_summands_of_fast<T>() : most_summands<T>();
  const std::size_t words = algorithm == Algorithm::acc_sum_k ? static_cast<std::size_t>(k) : 1;
  return in_place<T>(on, words, most, x, offsets, [&](std::size_t count, T* data, const std::size_t* ends, T* results) {
    launch_indices(on, count, AccurateSumBody<T>{algorithm, k, data, ends, results});
  });
}

/// y is empty for a sum.
std::vector<double> accumulate(const Executor& on, int words, Rounding to, std::span<const double> x,
                               std::span<const double> y, bool products, Offsets offsets) {
  if (products && x.size() != y.size()) {
    throw std::invalid_argument("the vectors of a dot product have different sizes");
  }
  if (words != 0 && words != 3 && words != 4 && words != 6 && words != 8) {
    throw std::invalid_argument("there are 0, 3, 4, 6 or 8 words in front of a superaccumulator");
  }
  check_offsets(offsets, x.size(), INT64_MAX);
  if (offsets.size() < 2) return {};
  const std::size_t count = offsets.size() - 1;
  const Array<std::size_t> ends(on, offsets);
  const Array<double> left(on, x);
  const Array<double> right(on, y);
  const Array<double> results(on, count);
  const double* const factors = products ? right.data() : nullptr;
  const auto launch = [&](auto body) {
    body.x = left.data();
    body.y = factors;
    body.offsets = ends.data();
    body.to = to;
    body.results = results.data();
    launch_indices(on, count, body);
  };
  [&]<int... N>(std::integer_sequence<int, N...>) {
    ((words == N ? launch(AccumulatorBody<N>{}) : void()), ...);
  }(std::integer_sequence<int, 0, 3, 4, 6, 8>{});
  ends.compare(offsets);
  left.compare(x);
  right.compare(y);
  return results.take();
}

}  // namespace

namespace detail {

template <Rounded algorithm, class T>
std::vector<T> rounded_sums(const Executor& on, Offsets offsets, std::span<const T> x) {
  constexpr Algorithm by = algorithm == Rounded::acc_sum    ? Algorithm::acc_sum
                           : algorithm == Rounded::near_sum ? Algorithm::near_sum
                                                            : Algorithm::fast_acc_sum;
  return sums(on, by, 1, x, offsets);
}

template <class T>
std::vector<T> precise_sums(const Executor& on, Offsets offsets, int k, std::span<const T> x) {
  return sums(on, Algorithm::prec_sum, k, x, offsets);
}

template <class T>
std::vector<std::int32_t> signs(const Executor& on, Offsets offsets, std::span<const T> x) {
  return in_place<std::int32_t>(on, 1, most_summands_of_sign<T>(), x, offsets,
                                [&](std::size_t count, T* data, const std::size_t* ends, std::int32_t* results) {
                                  launch_indices(on, count, SignBody<T>{data, ends, results});
                                });
}

}  // namespace detail

template <class T>
std::vector<T> acc_sum_k(const Executor& on, int k, std::span<const T> x, Offsets offsets) {
  return sums(on, Algorithm::acc_sum_k, k, x, offsets);
}
template <class T>
std::vector<T> acc_sum_k(const Executor& on, int k, std::span<const T> x) {
  const std::size_t ends[] = {0, x.size()};
  return acc_sum_k(on, k, x, Offsets(ends));
}

std::vector<double> accumulator_sum(const Executor& on, int words, Rounding to, std::span<const double> x,
                                    Offsets offsets) {
  return accumulate(on, words, to, x, {}, false, offsets);
}
double accumulator_sum(const Executor& on, int words, Rounding to, std::span<const double> x) {
  const std::size_t ends[] = {0, x.size()};
  return accumulator_sum(on, words, to, x, Offsets(ends)).front();
}

std::vector<double> accumulator_dot(const Executor& on, int words, Rounding to, std::span<const double> x,
                                    std::span<const double> y, Offsets offsets) {
  return accumulate(on, words, to, x, y, true, offsets);
}
double accumulator_dot(const Executor& on, int words, Rounding to, std::span<const double> x,
                       std::span<const double> y) {
  const std::size_t ends[] = {0, x.size()};
  return accumulator_dot(on, words, to, x, y, Offsets(ends)).front();
}

namespace {

template <class T>
using FoldedBatch = std::vector<T> (*)(const Executor&, int, std::span<const T>, Offsets);
template <class T>
using FoldedOne = std::vector<T> (*)(const Executor&, int, std::span<const T>);

}  // namespace

/// Instantiates the sums of numbers of T: the addresses keep the functions in the object file.
template <class T>
struct InstantiateAccurate {
  static constexpr std::tuple functions{&detail::rounded_sums<detail::Rounded::acc_sum, T>,
                                        &detail::rounded_sums<detail::Rounded::near_sum, T>,
                                        &detail::rounded_sums<detail::Rounded::fast_acc_sum, T>,
                                        &detail::precise_sums<T>,
                                        &detail::signs<T>,
                                        FoldedBatch<T>{&acc_sum_k<T>},
                                        FoldedOne<T>{&acc_sum_k<T>}};
};
template struct InstantiateAccurate<double>;
template struct InstantiateAccurate<float>;

}  // namespace assay::sum
