#include "kernels/gemv/mp_gemv_exact.hpp"

#include <gmp.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "exec/launch.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_call.hpp"

namespace assay::gemv {
namespace {

/// An integer of GMP with the lifetime of a value.
class Integer {
 public:
  Integer(long x = 0) { mpz_init_set_si(value_, x); }  // NOLINT(google-explicit-constructor)
  Integer(const Integer& x) { mpz_init_set(value_, x.value_); }
  Integer& operator=(const Integer& x) {
    mpz_set(value_, x.value_);
    return *this;
  }
  ~Integer() { mpz_clear(value_); }
  mpz_ptr get() { return value_; }
  mpz_srcptr get() const { return value_; }

  friend Integer operator+(const Integer& x, const Integer& y) {
    Integer z;
    mpz_add(z.get(), x.get(), y.get());
    return z;
  }
  friend Integer operator-(const Integer& x, const Integer& y) {
    Integer z;
    mpz_sub(z.get(), x.get(), y.get());
    return z;
  }
  friend Integer operator*(const Integer& x, const Integer& y) {
    Integer z;
    mpz_mul(z.get(), x.get(), y.get());
    return z;
  }
  friend Integer operator<<(const Integer& x, long bits) {
    Integer z;
    mpz_mul_2exp(z.get(), x.get(), static_cast<mp_bitcnt_t>(bits));
    return z;
  }
  friend bool operator==(const Integer& x, const Integer& y) { return mpz_cmp(x.get(), y.get()) == 0; }
  [[nodiscard]] int sign() const { return mpz_sgn(value_); }
  [[nodiscard]] long bits() const { return sign() == 0 ? 0 : static_cast<long>(mpz_sizeinbase(value_, 2)); }

 private:
  mpz_t value_;
};

/// significand·2^exponent.
struct Number {
  Integer significand;
  long exponent = 0;
};
using Numbers = std::vector<Number>;

bool operator==(const Number& x, const Number& y) {
  const long least = std::min(x.exponent, y.exponent);
  return x.significand << (x.exponent - least) == y.significand << (y.exponent - least);
}

Number operator+(const Number& x, const Number& y) {
  if (x.significand.sign() == 0) return y;
  if (y.significand.sign() == 0) return x;
  const long least = std::min(x.exponent, y.exponent);
  return {(x.significand << (x.exponent - least)) + (y.significand << (y.exponent - least)), least};
}

Number operator*(const Number& x, const Number& y) { return {x.significand * y.significand, x.exponent + y.exponent}; }

std::uint32_t modulus(int n, int i) { return i < n ? rns::Standard<128>::modulus(i) : 0x7FFFFFFFu; }

Integer product_of_moduli(int n) {
  Integer product(1);
  for (int i = 0; i < n; ++i) mpz_mul_ui(product.get(), product.get(), modulus(n, i));
  return product;
}

/// P = ⌊log₂ √M⌋.
int precision(int n) { return static_cast<int>(product_of_moduli(n).bits() - 1) / 2; }

/// RN(x) to P bits, ties to even.
Number rounded(const Number& x, int bits) {
  const long cut = x.significand.bits() - bits;
  if (cut <= 0) return x;
  const Integer half = Integer(1) << (cut - 1);
  Integer magnitude;
  mpz_abs(magnitude.get(), x.significand.get());
  Integer quotient;
  mpz_fdiv_q_2exp(quotient.get(), (magnitude + half).get(), static_cast<mp_bitcnt_t>(cut));
  const bool tie = mpz_scan1(magnitude.get(), 0) == static_cast<mp_bitcnt_t>(cut - 1);
  if (tie && mpz_odd_p(quotient.get())) quotient = quotient - 1;
  if (x.significand.sign() < 0) quotient = Integer(0) - quotient;
  return {quotient, x.exponent + cut};
}

/// Residues by GMP. Enclosures are wide: (0, 1/2] for every number that is not 0.
mp::MpArray array_of(int n, const Numbers& numbers, bool planes = true) {
  mp::MpArray x = mp::mp_zeros(n, numbers.size(), true);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (numbers[k].significand.sign() == 0) continue;
    Integer magnitude;
    mpz_abs(magnitude.get(), numbers[k].significand.get());
    for (int i = 0; i <= n; ++i) {
      x.digits[static_cast<std::size_t>(i) * x.length + k] =
          static_cast<std::uint32_t>(mpz_fdiv_ui(magnitude.get(), modulus(n, i)));
    }
    x.sign[k] = numbers[k].significand.sign() < 0 ? 1 : 0;
    x.exponent[k] = static_cast<std::int32_t>(numbers[k].exponent);
    x.upper[k] = {1.0, -1};
  }
  return mp::with_layout(x, planes);
}

/// Number k by the Chinese remainder theorem, with the guard's residue, the enclosure of X/M and X ≤ 2^P asserted.
Number number_of(const mp::MpArray& array, std::size_t k) {
  const mp::MpArray x = mp::with_layout(array, true);
  const int n = x.n;
  Integer value;
  Integer product(1);
  for (int i = 0; i < n; ++i) {
    const unsigned long m = modulus(n, i);
    Integer inverse;
    Integer m_integer(static_cast<long>(m));
    mpz_invert(inverse.get(), product.get(), m_integer.get());
    const Integer residue(x.digits[static_cast<std::size_t>(i) * x.length + k]);
    Integer step;
    mpz_fdiv_r(step.get(), ((residue - value) * inverse).get(), m_integer.get());
    value = value + step * product;
    product = product * m_integer;
  }
  EXPECT_EQ(mpz_fdiv_ui(value.get(), modulus(n, n)), x.digits[static_cast<std::size_t>(n) * x.length + k]);
  EXPECT_LE(mpz_cmp(value.get(), (Integer(1) << precision(n)).get()), 0);
  const auto times_product = [&](const Extended& bound) {  // bound·M·2^4000 as an integer
    const auto fraction = static_cast<long>(bound.fraction * 0x1p52);
    return (Integer(fraction) * product) << static_cast<long>(bound.exponent - 52 + 4000);
  };
  EXPECT_LE(mpz_cmp(times_product(x.lower[k]).get(), (value << 4000).get()), 0);
  EXPECT_GE(mpz_cmp(times_product(x.upper[k]).get(), (value << 4000).get()), 0);
  return {x.sign[k] != 0 ? Integer(0) - value : value, x.exponent[k]};
}

/// Numbers of up to P bits, a part of them zero or short, exponents in [−spread, spread].
class Draw {
 public:
  Draw(int n, std::uint32_t seed) : bits_(precision(n)), random_(seed) {}

  Number number(int spread) {
    if (random_() % 12 == 0) return {};
    const bool full = random_() % 2 == 0;
    return number_of_bits(full ? bits_ : 1 + static_cast<int>(random_() % static_cast<std::uint32_t>(bits_)), spread);
  }

  Number number_of_bits(int bits, int spread) {
    Integer x;
    for (int i = 0; i < bits; i += 32) x = (x << 32) + Integer(static_cast<long>(random_()));
    mpz_fdiv_r_2exp(x.get(), x.get(), static_cast<mp_bitcnt_t>(bits));
    mpz_setbit(x.get(), static_cast<mp_bitcnt_t>(bits - 1));
    const long exponent = static_cast<long>(random_() % static_cast<std::uint32_t>(2 * spread + 1)) - spread;
    return {random_() % 2 == 0 ? x : Integer(0) - x, exponent};
  }

  Numbers numbers(std::size_t count, int spread) {
    Numbers x(count);
    for (Number& each : x) each = number(spread);
    return x;
  }

 private:
  int bits_;
  std::mt19937 random_;
};

struct Gemv {
  blas::Transpose trans = blas::Transpose::no;
  std::int64_t m = 1, n = 1, lda = 1, incx = 1, incy = 1;
  Number alpha{1, 0}, beta{0, 0};
  Numbers a, x, y;
};

mp::MpArray run(int n, const Gemv& g, bool planes = true, const Executor& on = Executor::host()) {
  return mp_gemv_exact(on, g.trans, g.m, g.n, array_of(n, {g.alpha}), array_of(n, g.a, planes), g.lda,
                       array_of(n, g.x, planes), g.incx, array_of(n, {g.beta}), array_of(n, g.y, planes), g.incy);
}

std::int64_t place(std::int64_t i, std::int64_t length, std::int64_t stride) {
  return stride > 0 ? i * stride : (i - length + 1) * stride;
}

/// RN(α·s + β·y) with all products in s.
Number expected(int n, const Gemv& g, std::int64_t output) {
  const bool transposed = g.trans == blas::Transpose::yes;
  const std::int64_t terms = transposed ? g.m : g.n;
  const std::int64_t outputs = transposed ? g.n : g.m;
  Number sum;
  for (std::int64_t j = 0; j < terms && g.alpha.significand.sign() != 0; ++j) {
    const std::int64_t at = transposed ? output * g.lda + j : output + j * g.lda;
    sum = sum + g.a[static_cast<std::size_t>(at)] * g.x[static_cast<std::size_t>(place(j, terms, g.incx))];
  }
  const Number start = g.y[static_cast<std::size_t>(place(output, outputs, g.incy))];
  return rounded(g.alpha * sum + g.beta * start, precision(n));
}

void expect_rounded_once(int n, const Gemv& g) {
  const mp::MpArray result = run(n, g);
  const std::int64_t outputs = g.trans == blas::Transpose::yes ? g.n : g.m;
  for (std::int64_t i = 0; i < outputs; ++i) {
    const auto at = static_cast<std::size_t>(place(i, outputs, g.incy));
    EXPECT_EQ(number_of(result, at), expected(n, g, i)) << n << " moduli, entry " << i;
  }
}

Gemv drawn(Draw& draw, blas::Transpose trans, std::int64_t m, std::int64_t n, int spread) {
  Gemv g;
  g.trans = trans;
  g.m = m;
  g.n = n;
  g.lda = m;
  g.a = draw.numbers(static_cast<std::size_t>(m * n), spread);
  g.x = draw.numbers(static_cast<std::size_t>(trans == blas::Transpose::yes ? m : n), spread);
  g.y = draw.numbers(static_cast<std::size_t>(trans == blas::Transpose::yes ? n : m), spread);
  return g;
}

class MpGemvExact : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Moduli, MpGemvExact, testing::Values(8, 16, 32, 64, 128), testing::PrintToStringParamName());

TEST_P(MpGemvExact, RoundsTheExactSumOnce) {
  const int n = GetParam();
  Draw draw(n, 1);
  for (const blas::Transpose trans : {blas::Transpose::no, blas::Transpose::yes}) {
    for (const int terms : {1, 2, 31, 33, 65, 130}) {
      Gemv g = trans == blas::Transpose::yes ? drawn(draw, trans, terms, 3, 2) : drawn(draw, trans, 3, terms, 2);
      expect_rounded_once(n, g);
    }
  }
}

TEST_P(MpGemvExact, TakesProductsFarBelowTheWindow) {
  const int n = GetParam();
  Draw draw(n, 2);
  for (const int spread : {20, 100, 4 * n}) {
    expect_rounded_once(n, drawn(draw, blas::Transpose::no, 4, 20, spread));
    expect_rounded_once(n, drawn(draw, blas::Transpose::yes, 20, 4, spread));
  }
}

TEST_P(MpGemvExact, ScalesAndAddsBeforeItRounds) {
  const int n = GetParam();
  Draw draw(n, 3);
  for (const int gap : {0, 2 * precision(n), 5 * precision(n), 1 << 20}) {
    for (const int direction : {-1, 1}) {
      Gemv g = drawn(draw, blas::Transpose::no, 5, 9, 30);
      g.alpha = draw.number_of_bits(precision(n), 3);
      g.beta = draw.number_of_bits(precision(n), 3);
      g.beta.exponent += direction * gap;
      expect_rounded_once(n, g);
    }
  }
}

TEST_P(MpGemvExact, ASummandFarBelowDecidesATie) {
  const int n = GetParam();
  const int bits = precision(n);
  for (const int sign : {-1, 1}) {
    for (const long gap : {1L, 40L, 100L * bits}) {
      Gemv g;
      g.n = 2;
      g.a = {{Integer(1) << (bits - 1), 2}, {1, 1}};  // half an ulp above a number of P bits
      g.x = {{1, 0}, {1, 0}};
      g.beta = {sign, 0};
      g.y = {{1, 1 - gap}};
      expect_rounded_once(n, g);
    }
  }
}

TEST_P(MpGemvExact, TiesGoToEven) {
  const int n = GetParam();
  const Integer even = Integer(1) << (precision(n) - 1);
  for (const int low : {1, 3}) {
    for (const int sign : {-1, 1}) {
      Gemv g;
      g.n = 2;
      g.a = {{even * Integer(sign), 1}, {low * sign, 0}};
      g.x = {{1, 0}, {1, 0}};
      g.y = {{}};
      expect_rounded_once(n, g);
    }
  }
}

TEST_P(MpGemvExact, CancellationLeavesTheExactRest) {
  const int n = GetParam();
  Draw draw(n, 4);
  Gemv g = drawn(draw, blas::Transpose::no, 3, 17, 40);
  g.n = 35;
  g.a.resize(3 * 35);
  g.x.resize(35, {1, -3});
  for (std::size_t j = 0; j < 17; ++j) {
    g.x[17 + j] = g.x[j];
    for (std::size_t i = 0; i < 3; ++i) g.a[i + 3 * (17 + j)] = Number{-1, 0} * g.a[i + 3 * j];
  }
  g.a[3 * 34] = {};
  g.a[1 + 3 * 34] = {1, -90};
  g.a[2 + 3 * 34] = {-1, 2};
  expect_rounded_once(n, g);
}

TEST_P(MpGemvExact, DropsProductsBeyondItsDepthAlone) {
  const int n = GetParam();
  const int depth = 27 * n + precision(n) + 2 + 2;  // of three terms
  Gemv g;
  g.n = 3;
  g.x = {{1, 0}, {1, 0}, {1, 0}};
  g.y = {{}};
  for (const bool kept : {true, false}) {
    // A number of P bits and half an ulp of it: what is kept decides the tie.
    g.a = {{Integer(1) << (precision(n) - 1), 1}, {1, 0}, {1, 1 - depth - (kept ? 0 : 1)}};
    const Integer low = kept ? Integer(1) : Integer(0);
    EXPECT_EQ(number_of(run(n, g), 0), (Number{(Integer(1) << (precision(n) - 1)) + low, 1}));
  }
}

TEST_P(MpGemvExact, GivesTheSameBitsInEveryOrderAndLayout) {
  const int n = GetParam();
  Draw draw(n, 5);
  Gemv g = drawn(draw, blas::Transpose::no, 9, 40, 25);
  g.beta = {3, -1};
  const mp::MpArray reference = run(n, g);
  for (const Order order : {Order::descending, Order::shuffled}) {
    const mp::MpArray other = run(n, g, false, Executor::host(order, 7));
    EXPECT_EQ(mp::with_layout(other, true).digits, reference.digits);
    EXPECT_EQ(other.exponent, reference.exponent);
    EXPECT_EQ(other.sign, reference.sign);
  }
}

/// The residues that the kernels leave of a sum of `terms` products, of which all residues are m − 1 and all exponents
/// alike, in one part: terms·2^(W − 1) modulo every m.
template <bool transposed>
void expect_sum_of_maximal_residues(int n, std::int64_t terms) {
  const auto size = static_cast<std::size_t>(n) + 1;
  const auto count = static_cast<std::size_t>(terms);
  std::vector<std::uint32_t> digits(count * size);
  for (std::size_t k = 0; k < digits.size(); ++k) digits[k] = modulus(n, static_cast<int>(k / count)) - 1;
  const std::vector<std::int32_t> meta(count, 2 * 7);
  detail::GemvExactCall<transposed> call{};
  call.plan = detail::gemv_exact_plan(n, transposed, 1, terms);
  call.plan.sum_splits = call.plan.guard_splits = 1;
  std::vector<std::int32_t> tops(call.plan.tops_size());
  std::vector<std::int32_t> bases(call.plan.bases_size());
  std::vector<std::int32_t> outside(call.plan.outside_size());
  std::vector<std::int32_t> listed(call.plan.listed_size());
  std::vector<std::uint32_t> partial(call.plan.partial_size());
  call.plan.tops = tops.data();
  call.plan.bases = bases.data();
  call.plan.outside = outside.data();
  call.plan.listed = listed.data();
  call.plan.partial = partial.data();
  call.a = {digits.data(), meta.data(), terms, transposed ? terms : 1, false};
  call.x = {digits.data(), meta.data(), terms, 1, false};
  int kernels = 0;
  call.kernels([&](std::size_t blocks, const auto& kernel) {
    if (++kernels < 3) launch_blocks(Executor::host(), blocks, kernel);
  });
  EXPECT_EQ(outside[0], 0);
  for (std::size_t i = 0; i < size; ++i) {
    const Integer sum = Integer(static_cast<long>(terms)) << (call.plan.window - 1);
    EXPECT_EQ(partial[i], mpz_fdiv_ui(sum.get(), modulus(n, static_cast<int>(i)))) << "modulus " << i;
  }
}

TEST_P(MpGemvExact, SumsOfMaximalResiduesDoNotWrap) {
  for (const std::int64_t terms : {895, 897, 7000, 20001}) {
    expect_sum_of_maximal_residues<false>(GetParam(), terms);
    expect_sum_of_maximal_residues<true>(GetParam(), terms);
  }
}

TEST(MpGemvExactBlas, HonoursStridesAndLeadingDimension) {
  Draw draw(8, 6);
  for (const blas::Transpose trans : {blas::Transpose::no, blas::Transpose::yes}) {
    for (const std::int64_t incx : {-3, 2}) {
      for (const std::int64_t incy : {-2, 3}) {
        Gemv g;
        g.trans = trans;
        g.m = 5;
        g.n = 4;
        g.lda = 7;
        g.incx = incx;
        g.incy = incy;
        g.beta = {5, 0};
        g.a = draw.numbers(7 * 4, 4);
        g.x = draw.numbers(13, 4);
        g.y = draw.numbers(13, 4);
        expect_rounded_once(8, g);
        const mp::MpArray before = array_of(8, g.y);
        const mp::MpArray after = run(8, g);
        const std::int64_t outputs = trans == blas::Transpose::yes ? g.n : g.m;
        std::vector<bool> written(before.length);
        for (std::int64_t i = 0; i < outputs; ++i) written[static_cast<std::size_t>(place(i, outputs, incy))] = true;
        for (std::size_t k = 0; k < before.length; ++k) {
          EXPECT_TRUE(written[k] || after.digits[k] == before.digits[k]);
        }
      }
    }
  }
}

/// An array of numbers out of range: whoever reads it hands that on.
mp::MpArray out_of_range(int n, std::size_t length) {
  mp::MpArray x = mp::mp_zeros(n, length, true);
  std::fill(x.exponent.begin(), x.exponent.end(), mp::out_of_range_exponent);
  return x;
}

TEST(MpGemvExactBlas, AlphaZeroReadsNeitherANorX) {
  const mp::MpArray y = array_of(8, {{3, 0}, {5, 1}});
  const mp::MpArray r = mp_gemv_exact(Executor::host(), blas::Transpose::no, 2, 2, array_of(8, {{}}),
                                      out_of_range(8, 4), 2, out_of_range(8, 2), 1, array_of(8, {{7, 0}}), y, 1);
  EXPECT_EQ(number_of(r, 0), (Number{21, 0}));
  EXPECT_EQ(number_of(r, 1), (Number{35, 1}));
}

TEST(MpGemvExactBlas, BetaZeroDoesNotReadY) {
  const mp::MpArray r =
      mp_gemv_exact(Executor::host(), blas::Transpose::no, 1, 1, array_of(8, {{1, 0}}), array_of(8, {{3, 0}}), 1,
                    array_of(8, {{5, 0}}), 1, array_of(8, {{}}), out_of_range(8, 1), 1);
  EXPECT_EQ(number_of(r, 0), (Number{15, 0}));
}

TEST(MpGemvExactBlas, LeavesYWhereThereIsNothingToDo) {
  const mp::MpArray y = out_of_range(8, 3);
  const mp::MpArray nothing = mp::mp_zeros(8, 0, true);
  const mp::MpArray one = array_of(8, {{1, 0}});
  const Executor on = Executor::host();
  EXPECT_EQ(mp_gemv_exact(on, blas::Transpose::no, 3, 0, one, nothing, 3, nothing, 1, one, y, 1).exponent, y.exponent);
  EXPECT_EQ(mp_gemv_exact(on, blas::Transpose::no, 0, 3, one, nothing, 1, nothing, 1, one, y, 1).exponent, y.exponent);
  EXPECT_EQ(mp_gemv_exact(on, blas::Transpose::no, 3, 2, array_of(8, {{}}), nothing, 3, nothing, 1, one, y, 1).exponent,
            y.exponent);
}

TEST(MpGemvExactBlas, HandsOnNumbersOutOfRange) {
  mp::MpArray a = array_of(8, {{1, 0}, {2, 0}, {3, 0}, {4, 0}});
  a.exponent[2] = mp::out_of_range_exponent;  // row 0, column 1
  const mp::MpArray one = array_of(8, {{1, 0}});
  const mp::MpArray r = mp_gemv_exact(Executor::host(), blas::Transpose::no, 2, 2, one, a, 2,
                                      array_of(8, {{1, 0}, {1, 0}}), 1, array_of(8, {{}}), array_of(8, {{}, {}}), 1);
  EXPECT_EQ(r.exponent[0], mp::out_of_range_exponent);
  EXPECT_EQ(number_of(r, 1), (Number{6, 0}));
}

TEST(MpGemvExactBlas, MarksResultsThatLeaveTheRangeOfExponents) {
  const long limit = mp::exponent_limit;
  const auto product = [](long e, long f) {
    return mp_gemv_exact(Executor::host(), blas::Transpose::no, 1, 1, array_of(8, {{1, 0}}), array_of(8, {{3, e}}), 1,
                         array_of(8, {{5, f}}), 1, array_of(8, {{}}), array_of(8, {{}}), 1);
  };
  EXPECT_EQ(product(limit, 1000).exponent[0], mp::out_of_range_exponent);
  EXPECT_EQ(product(-limit, -1000).exponent[0], mp::out_of_range_exponent);
  EXPECT_EQ(number_of(product(limit, -limit), 0), (Number{15, 0}));
}

TEST(MpGemvExactBlas, RejectsWrongArguments) {
  const mp::MpArray one = array_of(8, {{1, 0}});
  const auto call = [&](std::int64_t m, std::int64_t n, std::int64_t lda, std::int64_t incx, std::int64_t incy,
                        const mp::MpArray& a, const mp::MpArray& x, const mp::MpArray& y) {
    return mp_gemv_exact(Executor::host(), blas::Transpose::no, m, n, one, a, lda, x, incx, one, y, incy);
  };
  EXPECT_NO_THROW(call(1, 1, 1, 1, 1, one, one, one));
  EXPECT_THROW(call(-1, 1, 1, 1, 1, one, one, one), std::invalid_argument);
  EXPECT_THROW(call(1, -1, 1, 1, 1, one, one, one), std::invalid_argument);
  EXPECT_THROW(call(2, 1, 1, 1, 1, one, one, one), std::invalid_argument);
  EXPECT_THROW(call(1, 1, 0, 1, 1, one, one, one), std::invalid_argument);
  EXPECT_THROW(call(1, 1, 1, 0, 1, one, one, one), std::invalid_argument);
  EXPECT_THROW(call(1, 1, 1, 1, 0, one, one, one), std::invalid_argument);
  EXPECT_THROW(call(1, 2, 1, 1, 1, one, one, one), std::invalid_argument);
  EXPECT_THROW(call(1, 1, 1, 1, 1, array_of(16, {{1, 0}}), one, one), std::invalid_argument);
  const mp::MpArray far = array_of(8, {{1, 1L << 30}, {1, -(1L << 30)}});
  EXPECT_THROW(call(1, 2, 1, 1, 1, far, far, one), std::invalid_argument);
}

}  // namespace
}  // namespace assay::gemv
