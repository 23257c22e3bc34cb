// Assertions about numbers of two, three and four words that the compiler evaluates: operands for which a sum out of
// order, a second rounding or a word too many shows. Most are of a small format, where the compiler knows the FMA.

#include <initializer_list>

#include "arith/expansion/expansion.hpp"
#include "arith/float/small_float.hpp"
#include "arith/words/double_word.hpp"
#include "arith/words/quad_double.hpp"
#include "arith/words/triple_word.hpp"

namespace assay::constants {
namespace {

__extension__ using Wide = __int128;
using T = Toy<11>;
constexpr double u = 0x1p-11;
constexpr double magnitude(double x) { return x < 0 ? -x : x; }

/// The sum of the words times 2¹⁰⁰, exactly.
template <class... Words>
constexpr Wide sum_of(Words... words) {
  const auto term = [](T x) {
    const bits::Significand s = bits::significand(x);
    const Wide m = s.m == 0 ? 0 : Wide{s.m} << (s.e + 100);
    return s.minus ? -m : m;
  };
  return (Wide{0} + ... + term(words));
}

// The product DWTimesDW3 of double words: its relative error is below 4u² from p = 5 on (JMP, Algorithm 12). With a
// second rounding of x.h·y.l it is 4.4u² here.
constexpr bool product_is_near() {
  using Six = Toy<6>;
  const double x[2] = {0x1.08p0, 0x1.e8p-7};
  const double y[2] = {0x1.08p0, 0x1.f8p-7};
  const DoubleWord<Six> z = dw::mul3(DoubleWord<Six>{Six(x[0]), Six(x[1])}, DoubleWord<Six>{Six(y[0]), Six(y[1])});
  const double exact = (x[0] + x[1]) * (y[0] + y[1]);
  return magnitude(static_cast<double>(z.h) + static_cast<double>(z.l) - exact) < 4 * 0x1p-12 * exact;
}
static_assert(product_is_near());

// Sums of triple words that three words hold: the words of one operand come between those of the other.
constexpr TripleWord<T> triple_word(double x0, double x1, double x2) { return {T(x0), T(x1), T(x2)}; }
constexpr bool adds_exactly(const TripleWord<T>& x, const TripleWord<T>& y) {
  const TripleWord<T> z = triple::add(x, y);
  const TripleWord<T> other = triple::add(y, x);
  const Wide sum = sum_of(x.x0, x.x1, x.x2, y.x0, y.x1, y.x2);
  return sum_of(z.x0, z.x1, z.x2) == sum && sum_of(other.x0, other.x1, other.x2) == sum;
}
static_assert(adds_exactly(triple_word(-0x1.ffcp-24, 0x1.fbcp-35, 0), triple_word(-1, 0x1p-11, 0x1.4p-22)));
static_assert(adds_exactly(triple_word(0x1.3p0, 0x1.474p-26, -0x1.ffcp-37),
                           triple_word(-0x1.3p0, 0x1.ffcp-12, -0x1.fbcp-25)));

// The seed b of a reciprocal: |bx − 1| ≤ 34u² + 123u³ (FMP, Algorithm 13). It begins above 1/x0 by 2u: by 4u, the
// error would be 44u² here.
constexpr double error_of_seed(double x0, double x1) {
  const DoubleWord<T> b = triple::detail::reciprocal_seed(T(x0), T(x1));
  return magnitude((static_cast<double>(b.h) + static_cast<double>(b.l)) * (x0 + x1) - 1);
}
constexpr double seed_bound = (34 + 123 * u) * u * u;
static_assert(error_of_seed(0x1.04cp0, 0x1.ffcp-11) <= seed_bound);
static_assert(error_of_seed(0x1.044p0, 0x1.fecp-11) <= seed_bound && error_of_seed(1, 0) <= seed_bound);

/// RN(x) in the format of T.
constexpr double rounded(double x) { return static_cast<double>(T(x)); }

/// Whether the seed of 1/√x has the lines of FMP's Algorithm 15: each step is one rounding of an exact double.
constexpr bool seed_has_its_lines(double x0, double x1) {
  const double a = static_cast<double>(T(1 + 4 * u) / sqrt(T(x0)));
  const double h = rounded(a * x0);
  const double h_low = rounded(a * x1 + (a * x0 - h));
  const double g = rounded(a / 2 * h);
  const double g_low = -rounded(a / 2 * h_low + (a / 2 * h - g));
  const double factor = rounded(1.5 - g);
  const double b = rounded(a * factor);
  const double b_low = rounded(a * g_low + (a * factor - b));
  const double first = rounded(b + b_low);
  const double second = rounded(b + b_low - first);
  const auto seed = triple::detail::reciprocal_root_seed(T(x0), T(x1));
  return static_cast<double>(seed.b.h) == first && static_cast<double>(seed.b.l) == second &&
         static_cast<double>(seed.half.h) == first / 2 && static_cast<double>(seed.half.l) == second / 2;
}
static_assert(seed_has_its_lines(0x1.054p0, 0x1.30cp-12) && seed_has_its_lines(0x1.0ep0, 0x1.004p-12));
static_assert(seed_has_its_lines(0x1.31p0, 0x1.798p-12) && seed_has_its_lines(2, 0));

// √0 = 0.
constexpr bool is_zero(const TripleWord<T>& x) { return x.x0 == T(0) && x.x1 == T(0) && x.x2 == T(0); }
static_assert(is_zero(triple::sqrt_accurate(triple_word(0, 0, 0))));
static_assert(is_zero(triple::sqrt_fast(triple_word(0, 0, 0))));
constexpr bool root_of_expansion_is_zero() {
  const Expansion<T, 3> z = expansion::sqrt<3>(Expansion<T, 2>{});
  return is_zero({z.x[0], z.x[1], z.x[2]});
}
static_assert(root_of_expansion_is_zero());

// The sum of quad doubles word by word. If five words are far apart, the last one is dropped.
constexpr bool leaves_the_fifth_word_out() {
  const QuadDouble<double> x{1, 0x1p-60, 0x1p-120, 0x1p-180};
  const QuadDouble<double> y{0x1p-240, 0, 0, 0};
  for (const QuadDouble<double>& z : {qd::ieee_add(x, y), qd::ieee_add(y, x)}) {
    if (z.x0 != x.x0 || z.x1 != x.x1 || z.x2 != x.x2 || z.x3 != x.x3) return false;
  }
  return true;
}
static_assert(leaves_the_fifth_word_out());

// If four words are put out before all are taken, the later words are added to the fourth one, and the lost part is at
// most 5u times it (qd.word_loop.2, step 2).
constexpr bool takes_the_last_words() {
  const QuadDouble<T> x{T(-0x1.2p-16), T(-0x1.ffcp-28), T(0x1.ae4p-40), T(-0x1.ff8p-52)};
  const QuadDouble<T> y{T(-0x1.cp0), T(-0x1.ffcp-12), T(0x1.ffcp-24), T(-0x1p-40)};
  const Wide sum = sum_of(x.x0, x.x1, x.x2, x.x3, y.x0, y.x1, y.x2, y.x3);
  for (const QuadDouble<T>& z : {qd::ieee_add(x, y), qd::ieee_add(y, x)}) {
    const Wide error = sum - sum_of(z.x0, z.x1, z.x2, z.x3);
    const Wide fourth = sum_of(z.x3);
    if ((error < 0 ? -error : error) * 2048 > 5 * (fourth < 0 ? -fourth : fourth)) return false;
  }
  return true;
}
static_assert(takes_the_last_words());

}  // namespace
}  // namespace assay::constants
