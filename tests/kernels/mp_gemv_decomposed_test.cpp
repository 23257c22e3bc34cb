#include "kernels/gemv/mp_gemv_decomposed.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

namespace assay::gemv {
namespace {

/// Numbers with significands of `bits` bits and exponents within ±spread, the same for a seed.
template <class Set>
std::vector<mp::Number<Set>> numbers(std::size_t count, unsigned seed, int spread,
                                     int bits = mp::significand_bits<Set> - 1) {
  std::mt19937 draw(seed);
  std::vector<mp::Number<Set>> all;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<std::uint32_t> limbs(static_cast<std::size_t>(bits + 31) / 32);
    for (std::uint32_t& limb : limbs) limb = static_cast<std::uint32_t>(draw());
    limbs.back() >>= 32 * limbs.size() - static_cast<std::size_t>(bits);
    const std::int64_t exponent = static_cast<std::int64_t>(draw() % static_cast<unsigned>(2 * spread + 1)) - spread;
    all.push_back(mp::from_limbs<Set>(limbs.data(), static_cast<int>(limbs.size()), exponent, draw() % 2 != 0));
  }
  return all;
}

template <class Set>
mp::MpArray array_of(const std::vector<mp::Number<Set>>& numbers, bool planes = false) {
  mp::MpArray x = mp::mp_zeros(Set::n, numbers.size(), planes);
  for (std::size_t k = 0; k < numbers.size(); ++k) mp::mp_view<Set>(x).store(k, numbers[k]);
  return x;
}

template <class Set>
mp::MpArray integer(std::uint32_t x) {
  return array_of<Set>({mp::from_limbs<Set>(&x, 1, 0, false)});
}

/// The kernel's operations one after the other.
template <class Set>
std::vector<mp::Number<Set>> serial_gemv(int outputs, int terms, int threads, const mp::Number<Set>& alpha,
                                         const std::vector<mp::Number<Set>>& a, const std::vector<mp::Number<Set>>& x,
                                         const mp::Number<Set>& beta, std::vector<mp::Number<Set>> y) {
  for (int i = 0; i < outputs; ++i) {
    std::vector<mp::Number<Set>> partial(static_cast<std::size_t>(threads), mp::zero<Set>());
    for (int j = 0; j < terms; ++j) {
      auto& sum = partial[static_cast<std::size_t>(j % threads)];
      sum = mp::add(
          sum, mp::mul(a[static_cast<std::size_t>(i + j * outputs)], mp::mul(x[static_cast<std::size_t>(j)], alpha)));
    }
    for (int d = threads / 2; d > 0; d /= 2) {
      for (int t = 0; t < d; ++t) {
        partial[static_cast<std::size_t>(t)] =
            mp::add(partial[static_cast<std::size_t>(t)], partial[static_cast<std::size_t>(t + d)]);
      }
    }
    auto& to = y[static_cast<std::size_t>(i)];
    to = mp::add(partial[0], mp::mul(to, beta));
  }
  return y;
}

void expect_same_values(const mp::MpArray& got, const mp::MpArray& want) {
  EXPECT_EQ(got.digits, want.digits);
  EXPECT_EQ(got.sign, want.sign);
  EXPECT_EQ(got.exponent, want.exponent);
}

template <class Set>
void expect_serial_digits(int outputs, int terms, int threads, const std::vector<mp::Number<Set>>& a,
                          const std::vector<mp::Number<Set>>& x, int spread) {
  const auto y = numbers<Set>(static_cast<std::size_t>(outputs), 3, spread);
  const auto scalars = numbers<Set>(2, 4, 3);
  const mp::MpArray got = mp_gemv_decomposed(Executor::host(), blas::Transpose::no, outputs, terms,
                                             array_of<Set>({scalars[0]}), array_of<Set>(a), outputs, array_of<Set>(x),
                                             1, array_of<Set>({scalars[1]}), array_of<Set>(y), 1, threads);
  expect_same_values(got, array_of<Set>(serial_gemv<Set>(outputs, terms, threads, scalars[0], a, x, scalars[1], y)));
}
template <class Set>
void expect_serial_digits(int outputs, int terms, int threads, int spread) {
  expect_serial_digits<Set>(outputs, terms, threads, numbers<Set>(static_cast<std::size_t>(outputs * terms), 1, spread),
                            numbers<Set>(static_cast<std::size_t>(terms), 2, spread), spread);
}

using Eight = rns::Standard<8>;
using Sixteen = rns::Standard<16>;

TEST(MpGemvDecomposed, DoesTheSerialOperationsOnEveryNumberOfModuli) {
  expect_serial_digits<Eight>(3, 70, 32, 4);
  expect_serial_digits<Sixteen>(3, 37, 32, 4);
  expect_serial_digits<rns::Standard<32>>(2, 35, 32, 4);
  expect_serial_digits<rns::Standard<64>>(2, 9, 4, 4);
  expect_serial_digits<rns::Standard<128>>(2, 5, 2, 4);
}

TEST(MpGemvDecomposed, DoesTheSerialOperationsWithGapsOfExponentsAroundThePrecision) {
  for (const int spread : {30, 54, 110, 400}) expect_serial_digits<Eight>(5, 40, 8, spread);
  for (const int spread : {60, 110, 215, 800}) expect_serial_digits<Sixteen>(5, 40, 8, spread);
}

TEST(MpGemvDecomposed, DoesTheSerialOperationsWhereSumsCancel) {
  const auto small = numbers<Sixteen>(40, 5, 60);
  auto a = numbers<Sixteen>(40, 1, 0);
  std::vector<mp::Number<Sixteen>> x(8, numbers<Sixteen>(1, 2, 0)[0]);
  for (std::size_t j = 1; j < 8; j += 2) {
    for (std::size_t i = 0; i < 5; ++i) {
      const auto opposite = mp::negate(a[i + 5 * (j - 1)]);
      a[i + 5 * j] = i == 0 ? opposite : mp::add(opposite, small[i + 5 * j]);
    }
  }
  for (const int threads : {1, 2, 4}) expect_serial_digits<Sixteen>(5, 8, threads, a, x, 2);
}

TEST(MpGemvDecomposed, DoesTheSerialOperationsWhereProductsLoseFewBits) {
  for (const int bits : {1, 2, 29, 30, 31, 60, 75}) {
    expect_serial_digits<Eight>(3, 9, 4, numbers<Eight>(27, 1, 0, bits), numbers<Eight>(9, 2, 0), 0);
    expect_serial_digits<Sixteen>(3, 9, 4, numbers<Sixteen>(27, 1, 0, bits), numbers<Sixteen>(9, 2, 0), 0);
  }
}

TEST(MpGemvDecomposed, DoesTheSerialOperationsOnMoreTermsThanArePlannedAtATime) {
  expect_serial_digits<Eight>(2, 150, 2, 2);
  expect_serial_digits<Eight>(2, 150, 2, numbers<Eight>(300, 1, 1, 20), numbers<Eight>(150, 2, 1, 20), 1);
}

TEST(MpGemvDecomposed, DoesTheSerialOperationsForEveryNumberOfThreads) {
  for (const int threads : {1, 2, 4, 8, 16, 32}) {
    expect_serial_digits<Eight>(33, 33, threads, 2);
    expect_serial_digits<Sixteen>(5, 33, threads, 2);
  }
}

TEST(MpGemvDecomposed, GivesTheSameBitsInEveryLayoutAndOrder) {
  const auto a = array_of<Eight>(numbers<Eight>(35, 1, 9));
  const auto x = array_of<Eight>(numbers<Eight>(5, 2, 9));
  const auto y = array_of<Eight>(numbers<Eight>(7, 3, 9));
  const auto scalar = array_of<Eight>(numbers<Eight>(1, 4, 1));
  const auto run = [&](const Executor& on, bool planes) {
    return mp_gemv_decomposed(on, blas::Transpose::no, 7, 5, scalar, mp::with_layout(a, planes), 7,
                              mp::with_layout(x, planes), 1, scalar, y, 1);
  };
  const mp::MpArray want = run(Executor::host(), false);
  expect_same_values(run(Executor::host(), true), want);
  expect_same_values(run(Executor::host(Order::shuffled, 5), true), want);
  expect_same_values(run(Executor::host(Order::descending), false), want);
}

TEST(MpGemvDecomposed, OfATransposeReadsColumns) {
  const auto a = numbers<Eight>(6, 1, 2);
  const auto x = numbers<Eight>(2, 2, 2);
  const std::vector<mp::Number<Eight>> transposed{a[0], a[2], a[4], a[1], a[3], a[5]};
  const mp::MpArray one = integer<Eight>(1);
  const mp::MpArray zero = integer<Eight>(0);
  const mp::MpArray y = mp::mp_zeros(8, 3);
  const auto of = [&](blas::Transpose trans, int m, int n, const std::vector<mp::Number<Eight>>& matrix) {
    return mp_gemv_decomposed(Executor::host(), trans, m, n, one, array_of<Eight>(matrix), m, array_of<Eight>(x), 1,
                              zero, y, 1);
  };
  expect_same_values(of(blas::Transpose::yes, 2, 3, a), of(blas::Transpose::no, 3, 2, transposed));
}

TEST(MpGemvDecomposed, StepsBackThroughVectorsWithNegativeStrides) {
  const auto a = array_of<Eight>(numbers<Eight>(9, 1, 2));
  const auto x = numbers<Eight>(3, 2, 2);
  const auto y = numbers<Eight>(3, 3, 2);
  const auto scalar = array_of<Eight>(numbers<Eight>(1, 4, 1));
  const mp::MpArray forward = mp_gemv_decomposed(Executor::host(), blas::Transpose::no, 3, 3, scalar, a, 3,
                                                 array_of<Eight>(x), 1, scalar, array_of<Eight>(y), 1);
  const mp::MpArray backward =
      mp_gemv_decomposed(Executor::host(), blas::Transpose::no, 3, 3, scalar, a, 3, array_of<Eight>({x[2], x[1], x[0]}),
                         -1, scalar, array_of<Eight>({y[2], y[1], y[0]}), -1);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(forward.exponent[i], backward.exponent[2 - i]);
    EXPECT_EQ(forward.digits[9 * i], backward.digits[9 * (2 - i)]);
  }
}

TEST(MpGemvDecomposed, ReturnsYWhereThereIsNothingToDo) {
  const mp::MpArray y = array_of<Eight>(numbers<Eight>(2, 3, 2));
  const mp::MpArray none = mp::mp_zeros(8, 0);
  const auto run = [&](std::int64_t m, std::int64_t n, std::uint32_t alpha, std::uint32_t beta) {
    return mp_gemv_decomposed(Executor::host(), blas::Transpose::no, m, n, integer<Eight>(alpha), none, 2, none, 1,
                              integer<Eight>(beta), y, 1);
  };
  expect_same_values(run(0, 5, 3, 7), y);
  expect_same_values(run(2, 0, 3, 7), y);
  expect_same_values(run(2, 5, 0, 1), y);
}

TEST(MpGemvDecomposed, MultipliesYAloneWithoutProducts) {
  const mp::MpArray y = integer<Eight>(5);
  const mp::MpArray none = mp::mp_zeros(8, 0);
  expect_same_values(mp_gemv_decomposed(Executor::host(), blas::Transpose::no, 1, 4, integer<Eight>(0), none, 1, none,
                                        1, integer<Eight>(7), y, 1),
                     integer<Eight>(35));
}

TEST(MpGemvDecomposed, HandsOutOfRangeOn) {
  const mp::MpArray marked = array_of<Eight>({mp::out_of_range<Eight>()});
  const mp::MpArray one = integer<Eight>(1);
  const mp::MpArray y =
      mp_gemv_decomposed(Executor::host(), blas::Transpose::no, 1, 1, one, marked, 1, one, 1, one, one, 1);
  EXPECT_EQ(y.exponent[0], mp::out_of_range_exponent);
}

TEST(MpGemvDecomposed, MarksAProductWhoseExponentIsTooLarge) {
  mp::MpArray large = integer<Eight>(1);
  large.exponent[0] = mp::exponent_limit;
  const mp::MpArray one = integer<Eight>(1);
  const mp::MpArray y =
      mp_gemv_decomposed(Executor::host(), blas::Transpose::no, 1, 1, one, large, 1, large, 1, one, one, 1);
  EXPECT_EQ(y.exponent[0], mp::out_of_range_exponent);
}

TEST(MpGemvDecomposed, ThrowsForWrongArguments) {
  const mp::MpArray one = integer<Eight>(1);
  const mp::MpArray other = integer<Sixteen>(1);
  const auto run = [&](std::int64_t m, std::int64_t lda, std::int64_t incx, std::int64_t incy, const mp::MpArray& a,
                       int threads) {
    return mp_gemv_decomposed(Executor::host(), blas::Transpose::no, m, 1, one, a, lda, one, incx, one, one, incy,
                              threads);
  };
  EXPECT_NO_THROW(run(1, 1, 1, 1, one, 1));
  EXPECT_THROW(run(-1, 1, 1, 1, one, 1), std::invalid_argument);
  EXPECT_THROW(run(1, 0, 1, 1, one, 1), std::invalid_argument);
  EXPECT_THROW(run(1, 1, 0, 1, one, 1), std::invalid_argument);
  EXPECT_THROW(run(1, 1, 1, 0, one, 1), std::invalid_argument);
  EXPECT_THROW(run(1, 1, 1, 1, other, 1), std::invalid_argument);
  EXPECT_THROW(run(1, 1, 1, 1, one, 3), std::invalid_argument);
  EXPECT_THROW(run(1, 1, 1, 1, one, 64), std::invalid_argument);
  EXPECT_THROW(run(2, 2, 1, 1, one, 1), std::invalid_argument);
}

}  // namespace
}  // namespace assay::gemv
