#pragma once
// Judges of operations on sums of words: numbers, double words, triple words, quad doubles and expansions.

#include "arith/expansion/distillation.hpp"
#include "arith/hd.hpp"
#include "arith/words/double_word.hpp"
#include "arith/words/operands.hpp"
#include "arith/words/quad_double.hpp"
#include "arith/words/triple_word.hpp"
#include "probes/probe.hpp"
#include "probes/residual.hpp"

namespace assay::probes {

/// The number type of a number or a sum of words.
template <class X>
struct NumberOf {
  using Type = X;
};
template <class T>
struct NumberOf<DoubleWord<T>> {
  using Type = T;
};
template <class T>
struct NumberOf<TripleWord<T>> {
  using Type = T;
};
template <class T>
struct NumberOf<QuadDouble<T>> {
  using Type = T;
};
template <class T, int n>
struct NumberOf<Expansion<T, n>> {
  using Type = T;
};

/// The words of a sum, the largest first.
template <int n>
struct Words {
  static constexpr int count = n;
  double at[n];
  /// Word i; 0 after the last one.
  ASSAY_HD constexpr double word(int i) const { return i < n ? at[i] : 0; }
};
template <class T>
ASSAY_HD constexpr Words<1> words_of(T x) {
  return {{static_cast<double>(x)}};
}
template <class T>
ASSAY_HD constexpr Words<2> words_of(const DoubleWord<T>& x) {
  return {{static_cast<double>(x.h), static_cast<double>(x.l)}};
}
template <class T>
ASSAY_HD constexpr Words<3> words_of(const TripleWord<T>& x) {
  return {{static_cast<double>(x.x0), static_cast<double>(x.x1), static_cast<double>(x.x2)}};
}
template <class T>
ASSAY_HD constexpr Words<4> words_of(const QuadDouble<T>& x) {
  return {{static_cast<double>(x.x0), static_cast<double>(x.x1), static_cast<double>(x.x2), static_cast<double>(x.x3)}};
}
template <class T, int n>
ASSAY_HD constexpr Words<n> words_of(const Expansion<T, n>& x) {
  Words<n> words{};
  for (int i = 0; i < n; ++i) words.at[i] = static_cast<double>(x.x[i]);
  return words;
}

/// The number of passes for a residual of a result of n words: docs/decisions/device_judge.md.
template <int n>
inline constexpr int passes_for = 2 * n - 1;

/// A number that is at most |Σ x_i|.
ASSAY_HD constexpr double at_most_sum(const Words<1>& x) { return absolute(x.at[0]); }
ASSAY_HD constexpr double at_most_sum(const Words<2>& x) { return at_most_sum(x.at[0], x.at[1]); }
template <int n>
ASSAY_HD constexpr double at_most_sum(const Words<n>& x) {
  Words<n> copy = x;
  return magnitude<1>(copy.at).lower;
}

/// |z − x| ≤ upper, and a lower bound of |x| ≥ |z| − |z − x|.
template <int words>
ASSAY_HD constexpr Scaled relative_to_result(const Words<words>& z, double upper) {
  return {upper, (at_most_sum(z) - upper) * (1 - 0x1p-51)};
}
/// The same for an x such that z − x is the sum of the terms.
template <int words, int n>
ASSAY_HD constexpr Scaled relative_to_result(const Words<words>& z, double (&terms)[n]) {
  return relative_to_result(z, magnitude<passes_for<words>>(terms).upper);
}

/// An upper bound of |z − (x + y)| in one pass. The high words and the low words cancel each other first, then both
/// sums, then z.
template <int n, int m>
ASSAY_HD constexpr double one_pass_sum(const Words<n>& x, const Words<m>& y, const Words<2>& z) {
  static_assert(n <= 2 && m <= 2);
  const Sum<double> high = two_sum(x.at[0], y.at[0]);
  const Sum<double> low = [&] {
    if constexpr (n == 2 && m == 2) {
      return two_sum(x.at[1], y.at[1]);
    } else {
      return Sum<double>{n == 2 ? x.word(1) : y.word(1), 0};
    }
  }();
  const Sum<double> both = two_sum(high.s, low.s);
  OnePass sum(both.s);
  sum.add(-z.at[0]);
  sum.add(both.e);
  sum.add(high.e);
  if constexpr (n == 2 && m == 2) sum.add(low.e);
  sum.add(-z.at[1]);
  return sum.upper();
}

/// An upper bound of |xy − z| in one pass, for products of any size.
template <int n, int m, int k>
ASSAY_HD constexpr double one_pass_product(const Words<n>& x, const Words<m>& y, const Words<k>& z) {
  static_assert(n <= 2 && m <= 2 && k <= 2);
  const Product<double> high = two_prod(x.at[0], y.at[0]);
  OnePass sum(high.p);
  sum.add(-z.at[0]);
  sum.add(high.e);
  if constexpr (n == 2) {
    const Product<double> low = two_prod(x.at[1], y.at[0]);
    sum.add(low.p);
    sum.add_small(low.e);
  }
  if constexpr (m == 2) {
    const Product<double> low = two_prod(x.at[0], y.at[1]);
    sum.add(low.p);
    sum.add_small(low.e);
  }
  if constexpr (k == 2) sum.add(-z.at[1]);
  if constexpr (n == 2 && m == 2) sum.add_small(x.at[1] * y.at[1]);
  return sum.upper(0x1p-1072);
}

/// Whether results of this type have a bound in one pass.
template <class Z>
inline constexpr bool has_one_pass = false;
template <class T>
inline constexpr bool has_one_pass<DoubleWord<T>> = true;

/// Terms whose sum is xy − z, the larger ones first: a product of words i and j is placed next to word i + j of z, its
/// error next to word i + j + 1.
template <int n, int m, int k>
struct ProductLess {
  double terms[2 * n * m + k];

  ASSAY_HD constexpr ProductLess(const Words<n>& x, const Words<m>& y, const Words<k>& z) : terms{} {
    static_assert(k <= n + m);
    Product<double> products[n][m] = {};
    ASSAY_UNROLL(n)
    for (int i = 0; i < n; ++i) {
      ASSAY_UNROLL(m)
      for (int j = 0; j < m; ++j) products[i][j] = exact_product(x.at[i], y.at[j]);
    }
    int to = 0;
    ASSAY_UNROLL(n + m)
    for (int level = 0; level < n + m; ++level) {
      ASSAY_UNROLL(n)
      for (int i = 0; i < n; ++i) {
        if (level - i >= 0 && level - i < m) terms[to++] = products[i][level - i].p;
      }
      if (level < k) terms[to++] = -z.at[level];
      ASSAY_UNROLL(n)
      for (int i = 0; i < n; ++i) {
        if (level - i >= 1 && level - i <= m) terms[to++] = products[i][level - i - 1].e;
      }
    }
  }
};

/// The common parts of the probes below. Draws: `classes`, their `names`, draw<Case>(stream, input_class, range), and,
/// where `moves`, move<Number>(stream, case, range). `range`: the exponents of all words that are not zero.
template <class Draws, class Case, auto Op>
struct Operation {
  using Classes = Draws;
  using Number = typename NumberOf<decltype(Case::x)>::Type;
  using Input = Case;
  using Output = decltype(applied<Op>(Case{}));
  static constexpr int classes = Draws::classes;
  Range range;

  ASSAY_HD constexpr Input draw(Stream& stream, int input_class) const {
    return Draws::template draw<Case>(stream, input_class, range);
  }
  ASSAY_HD constexpr Output run(const Input& c) const { return applied<Op>(c); }
  ASSAY_HD constexpr bool move(Stream& stream, Input& c) const
    requires(Draws::moves)
  {
    return Draws::template move<Number>(stream, c, range);
  }
};

/// Terms whose sum is z − (x + y), the larger ones first.
template <int n>
struct SumLess {
  double terms[3 * n];

  template <int m, int k>
  ASSAY_HD constexpr SumLess(const Words<m>& x, const Words<k>& y, const Words<n>& z) : terms{} {
    static_assert(m <= n && k <= n);
    ASSAY_UNROLL(n)
    for (int i = 0; i < n; ++i) {
      terms[3 * i] = z.at[i];
      terms[3 * i + 1] = -x.word(i);
      terms[3 * i + 2] = -y.word(i);
    }
  }
};

/// Op(x, y) against x + y.
template <class Draws, class Case, auto Op>
struct Addition : Operation<Draws, Case, Op> {
  using typename Operation<Draws, Case, Op>::Output;
  ASSAY_HD constexpr Scaled error(const Case& c, const Output& result) const {
    const auto z = words_of(result);
    SumLess difference(words_of(c.x), words_of(c.y), z);
    return relative_to_result(z, difference.terms);
  }
  ASSAY_HD constexpr Scaled quick(const Case& c, const Output& result) const
    requires(has_one_pass<Output>)
  {
    const auto z = words_of(result);
    return relative_to_result(z, one_pass_sum(words_of(c.x), words_of(c.y), z));
  }
};

/// At most the magnitude of a sum of words; the magnitude of its first word.
struct OfAllWords {
  template <int n>
  ASSAY_HD static constexpr double at_most(const Words<n>& x) {
    return at_most_sum(x);
  }
};
struct OfFirstWord {
  template <int n>
  ASSAY_HD static constexpr double at_most(const Words<n>& x) {
    return absolute(x.at[0]);
  }
};

/// Op(x, y) against x + y, relative to |x| + |y| or to another sum of two sizes.
template <class Draws, class Case, auto Op, class Size = OfAllWords>
struct AdditionByMagnitudes : Operation<Draws, Case, Op> {
  using typename Operation<Draws, Case, Op>::Output;
  ASSAY_HD constexpr Scaled error(const Case& c, const Output& result) const {
    const auto x = words_of(c.x);
    const auto y = words_of(c.y);
    const auto z = words_of(result);
    SumLess difference(x, y, z);
    return {magnitude<passes_for<decltype(z)::count>>(difference.terms).upper,
            at_most_sum(Size::at_most(x), Size::at_most(y))};
  }
  ASSAY_HD constexpr Scaled quick(const Case& c, const Output& result) const
    requires(has_one_pass<Output>)
  {
    const auto x = words_of(c.x);
    const auto y = words_of(c.y);
    return {one_pass_sum(x, y, words_of(result)), at_most_sum(Size::at_most(x), Size::at_most(y))};
  }
};

/// Op(x, y) against xy.
template <class Draws, class Case, auto Op>
struct Multiplication : Operation<Draws, Case, Op> {
  using typename Operation<Draws, Case, Op>::Output;
  ASSAY_HD constexpr Scaled error(const Case& c, const Output& z) const {
    ProductLess difference(words_of(c.x), words_of(c.y), words_of(z));
    return relative_to_result(words_of(z), difference.terms);
  }
  ASSAY_HD constexpr Scaled quick(const Case& c, const Output& z) const
    requires(has_one_pass<Output>)
  {
    return relative_to_result(words_of(z), one_pass_product(words_of(c.x), words_of(c.y), words_of(z)));
  }
};

/// |zy − x| and a lower bound of |x|.
template <int n, int m, int k>
ASSAY_HD constexpr Scaled relative_to_dividend(const Words<n>& z, const Words<m>& y, const Words<k>& x) {
  ProductLess difference(z, y, x);
  return {magnitude<passes_for<n>>(difference.terms).upper, at_most_sum(x)};
}
/// The same in one pass.
template <int n, int m, int k>
ASSAY_HD constexpr Scaled quick_relative_to_dividend(const Words<n>& z, const Words<m>& y, const Words<k>& x) {
  return {one_pass_product(z, y, x), at_most_sum(x)};
}

/// Op(x, y) against x/y: |Op(x, y) − x/y| ≤ factor·|x/y| where |zy − x| ≤ factor·|x|.
template <class Draws, class Case, auto Op>
struct Division : Operation<Draws, Case, Op> {
  using typename Operation<Draws, Case, Op>::Output;
  ASSAY_HD constexpr Scaled error(const Case& c, const Output& z) const {
    return relative_to_dividend(words_of(z), words_of(c.y), words_of(c.x));
  }
  ASSAY_HD constexpr Scaled quick(const Case& c, const Output& z) const
    requires(has_one_pass<Output>)
  {
    return quick_relative_to_dividend(words_of(z), words_of(c.y), words_of(c.x));
  }
};

/// Op(x) against 1/x, as a quotient.
template <class Draws, class Case, auto Op>
struct Reciprocal : Operation<Draws, Case, Op> {
  using typename Operation<Draws, Case, Op>::Output;
  ASSAY_HD constexpr Scaled error(const Case& c, const Output& z) const {
    return relative_to_dividend(words_of(z), words_of(c.x), words_of(1.0));
  }
};

/// Op(x) against √x: |Op(x) − √x| ≤ c√x where |z² − x| ≤ c(2 − c)x and z ≥ 0, so that the factor is c(2 − c). For z ≥
/// √x, z² ≤ x(1 + c)²; else z² ≥ x(1 − c)².
template <class Draws, class Case, auto Op>
struct SquareRoot : Operation<Draws, Case, Op> {
  using typename Operation<Draws, Case, Op>::Output;
  ASSAY_HD constexpr Scaled error(const Case& c, const Output& result) const {
    const auto z = words_of(result);
    const Scaled square = relative_to_dividend(z, z, words_of(c.x));
    return {square.upper, z.at[0] < 0 ? 0 : square.scale};
  }
  ASSAY_HD constexpr Scaled quick(const Case& c, const Output& result) const
    requires(has_one_pass<Output>)
  {
    const auto z = words_of(result);
    const Scaled square = quick_relative_to_dividend(z, z, words_of(c.x));
    return {square.upper, z.at[0] < 0 ? 0 : square.scale};
  }
};

}  // namespace assay::probes
