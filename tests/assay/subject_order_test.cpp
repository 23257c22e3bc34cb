// Contracts about order: kernels whose bits depend on the batch, on the place of their arrays or on what they computed
// before, right ones, and how many swaps of two terms would have been seen.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "properties/contracts/order_terms.hpp"
#include "tests/assay/subject_kernel.hpp"

namespace assay {
namespace {

constexpr std::uint64_t few_cases = 60;

/// The tally of a contract that is asked by name.
template <class Function>
ClaimTally asked(const std::string& operation, const std::string& format, Function* function,
                 const std::string& contract, CallForm form = CallForm::plain) {
  const auto property =
      find_operation(operation)->property({.format = format, .promised = {contract}}, kernel_of(function, form));
  const Tally tally = judged(*property, few_cases);
  for (std::size_t i = 0; i < tally.claims.size(); ++i) {
    if (property->info().claims[i].id == contract) return tally.claims[i];
  }
  ADD_FAILURE() << operation << " has no claim " << contract;
  return {};
}

testing::AssertionResult is_kept(const ClaimTally& tally) {
  if (tally.executed == 0) return testing::AssertionFailure() << "no case was judged";
  if (tally.violated == 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << tally.violated << " of " << tally.executed << " cases violate it, the first "
                                     << tally.first_violated;
}
testing::AssertionResult is_broken(const ClaimTally& tally) {
  if (tally.violated != 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "kept in " << tally.executed << " cases";
}

// ---------------------------------------------------------------------------------------------------------------- rows

enum class Fault {
  none,
  by_rows,        ///< the order of a row depends on the number of rows
  last_place,     ///< rows behind the last block of four are added from their end
  neighbour,      ///< 0 times the first number of the row before is added
  whole_maximum,  ///< softmax takes the maximum of all rows
};

/// The sum of n terms, from the first or from the last.
template <class Term>
auto sum_of(std::size_t n, bool is_reverse, const Term& term) {
  decltype(term(0)) sum{};
  for (std::size_t i = 0; i < n; ++i) sum = sum + term(is_reverse ? n - 1 - i : i);
  return sum;
}
template <Fault fault>
bool is_reverse(std::size_t rows, std::size_t r) {
  return (fault == Fault::by_rows && rows > 2) || (fault == Fault::last_place && rows >= 4 && r >= rows / 4 * 4);
}
template <Fault fault>
double from_neighbour(std::size_t columns, const double* x, std::size_t r) {
  return fault == Fault::neighbour && r > 0 ? 0 * x[(r - 1) * columns] : 0;
}

template <Fault fault, bool is_log = false>
void softmax(std::size_t rows, std::size_t columns, const double* x, double* y) {
  for (std::size_t r = 0; r < rows; ++r) {
    const double* const row = x + r * columns;
    double most = -std::numeric_limits<double>::infinity();
    const bool takes_all = fault == Fault::whole_maximum;
    for (std::size_t i = 0; i < (takes_all ? rows * columns : columns); ++i) {
      most = std::fmax(most, takes_all ? x[i] : row[i]);
    }
    const double sum =
        from_neighbour<fault>(columns, x, r) +
        sum_of(columns, is_reverse<fault>(rows, r), [&](std::size_t i) { return std::exp(row[i] - most); });
    for (std::size_t i = 0; i < columns; ++i) {
      y[r * columns + i] = is_log ? row[i] - most - std::log(sum) : std::exp(row[i] - most) / sum;
    }
  }
}

template <Fault fault>
void rms_norm(std::size_t rows, std::size_t columns, double eps, const double* x, const double* weight, double* y) {
  for (std::size_t r = 0; r < rows; ++r) {
    const double* const row = x + r * columns;
    const double squares = from_neighbour<fault>(columns, x, r) +
                           sum_of(columns, is_reverse<fault>(rows, r), [&](std::size_t i) { return row[i] * row[i]; });
    const double root = std::sqrt(squares / static_cast<double>(columns) + eps);
    for (std::size_t i = 0; i < columns; ++i) y[r * columns + i] = row[i] / root * weight[i];
  }
}

template <Fault fault>
void layer_norm(std::size_t rows, std::size_t columns, double eps, const double* x, const double* weight,
                const double* bias, double* y) {
  const auto n = static_cast<double>(columns);
  for (std::size_t r = 0; r < rows; ++r) {
    const double* const row = x + r * columns;
    const double sum = from_neighbour<fault>(columns, x, r) +
                       sum_of(columns, is_reverse<fault>(rows, r), [&](std::size_t i) { return row[i]; });
    const double mean = sum / n;
    const double squares = sum_of(columns, false, [&](std::size_t i) { return (row[i] - mean) * (row[i] - mean); });
    const double root = std::sqrt(squares / n + eps);
    for (std::size_t i = 0; i < columns; ++i) y[r * columns + i] = (row[i] - mean) / root * weight[i] + bias[i];
  }
}

template <Fault fault>
void matmul(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b, float* d) {
  for (std::size_t p = 0; p < batch; ++p) {
    for (std::size_t row = 0; row < m; ++row) {
      for (std::size_t column = 0; column < n; ++column) {
        const float* const of_a = a + (p * m + row) * k;
        const float* const of_b = b + p * k * n + column;
        float sum = sum_of(k, is_reverse<fault>(m, row), [&](std::size_t l) { return of_a[l] * of_b[l * n]; });
        if (fault == Fault::neighbour && row > 0 && k > 0) sum += 0 * of_a[-static_cast<std::ptrdiff_t>(k)];
        d[(p * m + row) * n + column] = sum;
      }
    }
  }
}

TEST(BatchInvariant, IsKeptByRightKernels) {
  EXPECT_TRUE(is_kept(asked("softmax", "f64", softmax<Fault::none>, "batch_invariant")));
  EXPECT_TRUE(is_kept(asked("log_softmax", "f64", softmax<Fault::none, true>, "batch_invariant")));
  EXPECT_TRUE(is_kept(asked("rms_norm", "f64", rms_norm<Fault::none>, "batch_invariant")));
  EXPECT_TRUE(is_kept(asked("layer_norm", "f64", layer_norm<Fault::none>, "batch_invariant")));
  EXPECT_TRUE(is_kept(asked("matmul", "f32", matmul<Fault::none>, "batch_invariant")));
}

TEST(BatchInvariant, IsBrokenWhereTheOrderDependsOnTheNumberOfRows) {
  EXPECT_TRUE(is_broken(asked("softmax", "f64", softmax<Fault::by_rows>, "batch_invariant")));
  EXPECT_TRUE(is_broken(asked("log_softmax", "f64", softmax<Fault::by_rows, true>, "batch_invariant")));
  EXPECT_TRUE(is_broken(asked("rms_norm", "f64", rms_norm<Fault::by_rows>, "batch_invariant")));
  EXPECT_TRUE(is_broken(asked("layer_norm", "f64", layer_norm<Fault::by_rows>, "batch_invariant")));
  EXPECT_TRUE(is_broken(asked("matmul", "f32", matmul<Fault::by_rows>, "batch_invariant")));
}

TEST(BatchInvariant, IsAskedInTheLastPlaces) {
  EXPECT_TRUE(is_broken(asked("softmax", "f64", softmax<Fault::last_place>, "batch_invariant")));
  EXPECT_TRUE(is_broken(asked("rms_norm", "f64", rms_norm<Fault::last_place>, "batch_invariant")));
  EXPECT_TRUE(is_broken(asked("layer_norm", "f64", layer_norm<Fault::last_place>, "batch_invariant")));
  EXPECT_TRUE(is_broken(asked("matmul", "f32", matmul<Fault::last_place>, "batch_invariant")));
}

TEST(BatchInvariant, IsAskedBesideNaNAndInfinities) {
  EXPECT_TRUE(is_broken(asked("softmax", "f64", softmax<Fault::neighbour>, "batch_invariant")));
  EXPECT_TRUE(is_broken(asked("rms_norm", "f64", rms_norm<Fault::neighbour>, "batch_invariant")));
  EXPECT_TRUE(is_broken(asked("layer_norm", "f64", layer_norm<Fault::neighbour>, "batch_invariant")));
  EXPECT_TRUE(is_broken(asked("matmul", "f32", matmul<Fault::neighbour>, "batch_invariant")));
}

TEST(BatchInvariant, IsAskedBesideLargeNumbers) {
  EXPECT_TRUE(is_broken(asked("softmax", "f64", softmax<Fault::whole_maximum>, "batch_invariant")));
}

TEST(BatchInvariant, HasItsOlderName) {
  const Operation& operation = *find_operation("matmul");
  EXPECT_EQ(operation.find("alone"), operation.find("batch_invariant"));
  EXPECT_NE(operation.find("alone"), nullptr);
}

// ---------------------------------------------------------------------------------------------------------------
// places

double recursive(std::size_t n, const double* x) {
  return sum_of(n, false, [&](std::size_t i) { return x[i]; });
}
/// Single numbers up to an address that is a multiple of 32, then four lanes.
double peeling(std::size_t n, const double* x) {
  constexpr std::size_t alignment = 32;
  constexpr std::size_t lanes = 4;
  std::size_t i = 0;
  double head = 0;
  for (; i < n && reinterpret_cast<std::uintptr_t>(x + i) % alignment != 0; ++i) head += x[i];
  double lane[lanes]{};
  for (; i + lanes <= n; i += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) lane[l] += x[i + l];
  }
  double sum = head + ((lane[0] + lane[1]) + (lane[2] + lane[3]));
  for (; i < n; ++i) sum += x[i];
  return sum;
}
/// By the CBLAS convention; with an increment other than 1 from the end where `is_wrong`.
template <bool is_wrong>
double strided_dot(int n, const double* x, int incx, const double* y, int incy) {
  const auto at = [n](int i, int increment) {
    return static_cast<std::ptrdiff_t>(increment < 0 ? n - 1 - i : i) * std::abs(increment);
  };
  return sum_of(static_cast<std::size_t>(n), is_wrong && (incx != 1 || incy != 1),
                [&](std::size_t i) { return x[at(static_cast<int>(i), incx)] * y[at(static_cast<int>(i), incy)]; });
}
/// Adds from the end where the two arrays have one alignment.
double dot_by_both_alignments(std::size_t n, const double* x, const double* y) {
  constexpr std::size_t alignment = 64;
  const bool is_reverse = (reinterpret_cast<std::uintptr_t>(x) - reinterpret_cast<std::uintptr_t>(y)) % alignment == 8;
  return sum_of(n, is_reverse, [&](std::size_t i) { return x[i] * y[i]; });
}

TEST(PlaceInvariant, IsKeptByRightKernels) {
  EXPECT_TRUE(is_kept(asked("sum", "f64", recursive, "place_invariant")));
  EXPECT_TRUE(is_kept(asked("dot", "f64", strided_dot<false>, "place_invariant", CallForm::cblas)));
  EXPECT_TRUE(is_kept(asked("softmax", "f64", softmax<Fault::none>, "place_invariant")));
  EXPECT_TRUE(is_kept(asked("matmul", "f32", matmul<Fault::none>, "place_invariant")));
}

TEST(PlaceInvariant, IsBrokenWhereTheOrderDependsOnTheAlignment) {
  EXPECT_TRUE(is_broken(asked("sum", "f64", peeling, "place_invariant")));
  EXPECT_TRUE(is_broken(asked("dot", "f64", dot_by_both_alignments, "place_invariant")));
}

TEST(PlaceInvariant, IsBrokenWhereTheOrderDependsOnTheIncrement) {
  EXPECT_TRUE(is_broken(asked("dot", "f64", strided_dot<true>, "place_invariant", CallForm::cblas)));
}

TEST(PlaceInvariant, IsAskedOnlyByName) {
  EXPECT_EQ(tally_of("sum", "f64", kernel_of(peeling), "place_invariant", few_cases).executed, 0U);
}

// ----------------------------------------------------------------------------------------------------------- other
// runs

/// Adds from the end in every other call.
double alternating(std::size_t n, const double* x) {
  static unsigned calls = 0;
  return sum_of(n, ++calls % 2 == 0, [&](std::size_t i) { return x[i]; });
}
/// Adds from the end where the call before had a longer vector.
double by_last_length(std::size_t n, const double* x) {
  static std::size_t last = 0;
  const bool was_longer = last > n;
  last = n;
  return sum_of(n, was_longer, [&](std::size_t i) { return x[i]; });
}

TEST(RunToRun, IsKeptByRightKernels) {
  EXPECT_TRUE(is_kept(asked("sum", "f64", recursive, "run_to_run")));
  EXPECT_TRUE(is_kept(asked("layer_norm", "f64", layer_norm<Fault::none>, "run_to_run")));
  EXPECT_TRUE(is_kept(asked("matmul", "f32", matmul<Fault::none>, "run_to_run")));
}

TEST(RunToRun, IsBrokenByKernelsThatRemember) {
  EXPECT_TRUE(is_broken(asked("sum", "f64", alternating, "run_to_run")));
  EXPECT_TRUE(is_broken(asked("sum", "f64", by_last_length, "run_to_run")));
}

// -------------------------------------------------------------------------------------------------------------- chunks

/// Prefix sums, one after the other.
void scan(std::size_t n, const double* x, double* y) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) y[i] = sum += x[i];
}
/// Every second block of four terms has its own sum, to which that of the terms before is added.
void scan_of_blocks(std::size_t n, const double* x, double* y) {
  constexpr std::size_t block = 4;
  double before = 0;
  for (std::size_t first = 0; first < n; first += block) {
    double sum = 0;
    for (std::size_t i = first; i < n && i < first + block; ++i) y[i] = before + (sum += x[i]);
    before += sum;
  }
}
double dot_in_order(std::size_t n, const double* x, const double* y) {
  return sum_of(n, false, [&](std::size_t i) { return x[i] * y[i]; });
}
double dot_from_the_end(std::size_t n, const double* x, const double* y) {
  return sum_of(n, true, [&](std::size_t i) { return x[i] * y[i]; });
}

TEST(SplitInvariant, IsKeptByRecursiveSums) {
  EXPECT_TRUE(is_kept(asked("sum", "f64", recursive, "split_invariant")));
  EXPECT_TRUE(is_kept(asked("dot", "f64", dot_in_order, "split_invariant")));
  EXPECT_TRUE(is_kept(asked("cumsum", "f64", scan, "split_invariant")));
}

TEST(SplitInvariant, IsBrokenByBlocksAndOtherOrders) {
  EXPECT_TRUE(is_broken(asked("sum", "f64", peeling, "split_invariant")));
  EXPECT_TRUE(is_broken(asked("dot", "f64", dot_from_the_end, "split_invariant")));
  EXPECT_TRUE(is_broken(asked("cumsum", "f64", scan_of_blocks, "split_invariant")));
}

// --------------------------------------------------------------------------------------------------------------- swaps

/// No term is read.
double zero(std::size_t, const double*) { return 0; }

/// Whether some of the swaps are seen and some are not: addition commutes.
testing::AssertionResult shows_an_order(const Swaps& swaps) {
  const std::string words = std::to_string(swaps.seen) + " of " + std::to_string(swaps.tried) + " are seen";
  const bool is_so = swaps.seen > swaps.tried / 20 && swaps.seen < swaps.tried;
  return is_so ? testing::AssertionSuccess() : testing::AssertionFailure() << words;
}

TEST(Swaps, OfKernelsWithAnOrderAreSeen) {
  EXPECT_TRUE(shows_an_order(asked("sum", "f64", recursive, "run_to_run").swaps));
  EXPECT_TRUE(shows_an_order(asked("sum", "f64", recursive, "place_invariant").swaps));
  EXPECT_TRUE(shows_an_order(asked("softmax", "f64", softmax<Fault::none>, "batch_invariant").swaps));
  EXPECT_TRUE(shows_an_order(asked("rms_norm", "f64", rms_norm<Fault::none>, "batch_invariant").swaps));
  EXPECT_TRUE(shows_an_order(asked("layer_norm", "f64", layer_norm<Fault::none>, "batch_invariant").swaps));
  EXPECT_TRUE(shows_an_order(asked("matmul", "f32", matmul<Fault::none>, "batch_invariant").swaps));
}

TEST(Swaps, OfThreeTermsOfARecursiveSumAreSeenInFourOfNineDraws) {
  // Of 1, −1 and an odd multiple e of 2^(−p), in any order: the first two trade places unseen. With e in front, the
  // last and the term of size 1 in front are seen to trade places, and so are e and a term of size 1 that has its sign.
  using Order = contracts::OrderOfSum<double>;
  constexpr int draws = 9000;
  bits::SplitMix64 next{1};
  int seen = 0;
  for (int k = 0; k < draws; ++k) {
    const Order::Case data = Order::data_with(3, 53, next);
    const auto [i, j] = contracts::pair_of_terms(next, 3);
    Order::Case swapped = data;
    Order::swap(swapped, i, j);
    seen += Order::recursive(data) == Order::recursive(swapped) ? 0 : 1;
  }
  constexpr int six_deviations = 283;  // of 9000 draws with probability 4/9
  EXPECT_NEAR(seen, draws * 4 / 9, six_deviations);
}

TEST(Swaps, OfAKernelWithoutAnOrderAreNeverSeen) {
  const Swaps swaps = asked("sum", "f64", zero, "run_to_run").swaps;
  EXPECT_GT(swaps.tried, 100U);
  EXPECT_EQ(swaps.seen, 0U);
}

TEST(Swaps, OfASumInAWiderFormatAreCountedByTheRecursiveSum) {
  const ClaimTally tally =
      tally_of("sum", "f32", kernel_of(+[](std::size_t n, const float* x) {
                 return static_cast<float>(sum_of(n, false, [&](std::size_t i) { return static_cast<double>(x[i]); }));
               }),
               "order_free", few_cases);
  // It adds the data without an error, and so shows no order of its own.
  EXPECT_TRUE(shows_an_order(tally.swaps));
}

TEST(Swaps, AreRefusedByOrderFreeWhereReversalShowsNothing) {
  // The sum of each half from its outer end: the same in reverse, and another with two terms in each other's place.
  const auto from_both_ends = +[](std::size_t n, const double* x) {
    const std::size_t half = n / 2;
    const double low = sum_of(half, false, [&](std::size_t i) { return x[i]; });
    const double high = sum_of(half, false, [&](std::size_t i) { return x[n - 1 - i]; });
    return low + high + (n % 2 == 1 ? x[half] : 0);
  };
  EXPECT_TRUE(is_broken(tally_of("sum", "f64", kernel_of(from_both_ends), "order_free", few_cases)));
}

TEST(Swaps, AddUpWhereJudgementsAreJoined) {
  Judgement judgement = Judgement::pass();
  judgement.swaps = {4, 3};
  Judgement worse = Judgement::fail();
  worse.swaps = {2, 1};
  judgement.worsen(worse);
  EXPECT_EQ(judgement.swaps, (Swaps{6, 4}));
}

}  // namespace
}  // namespace assay
