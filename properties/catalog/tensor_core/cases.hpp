#pragma once
// Inputs of chains of steps: products for which the alignment and the rounding lose as much as possible.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arith/float/small_float.hpp"
#include "properties/catalog/tensor_core/reference.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/domain.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/generators.hpp"

namespace assay::tensor_core {

/// c + Σ aᵢbᵢ. tf32 elements are numbers of binary32.
template <FloatingPoint T, FloatingPoint C>
struct ChainCase {
  std::vector<T> a, b;
  C c{};

  static constexpr auto fields() {
    return std::tuple{field("a", &ChainCase::a), field("b", &ChainCase::b), field("c", &ChainCase::c)};
  }
};

/// Σ aᵢbᵢ in slices of `slice` products.
template <FloatingPoint T>
struct SliceCase {
  std::vector<T> a, b;
  std::int64_t slice = 1;

  static constexpr auto fields() {
    return std::tuple{field("a", &SliceCase::a), field("b", &SliceCase::b), field("slice", &SliceCase::slice)};
  }
};

/// The purpose of a domain of chains: a step, the fraction bits m of its result, and p, the number of bits of the
/// elements, 11 for tf32. c has at most `start_bits` bits, with 0 it is +0.
struct ChainKind {
  Step step;
  int result_bits = 23;
  int start_bits = 24;
  /// Products are below 2^(highest + 2).
  int highest = 114;
  /// Σ|aᵢbᵢ| + |c| and M are at most 2^most.
  int most = 127;
  /// After this many products a leader comes again; 0: one leader.
  int period = 0;
};

inline constexpr std::size_t longest_chain = 600;

template <FloatingPoint T>
std::vector<std::uint64_t> patterns(const std::vector<T>& x) {
  std::vector<std::uint64_t> bits;
  bits.reserve(x.size());
  for (const T& each : x) bits.push_back(bits_of(each));
  return bits;
}

/// The sum of a case and the data for its bounds; the elements in their own format.
template <class Case>
ExactProducts exact_products_of(const Case& c) {
  using T = typename decltype(c.a)::value_type;
  oracle::Dyadic start;
  if constexpr (requires { c.c; }) start = value_of(c.c);
  return exact_products(format_of<T>(), patterns(c.a), patterns(c.b), start);
}

/// The number without the bits that a format of p bits does not have.
template <int p, FloatingPoint T>
T shortened(T x) {
  return number_of<T>(bits_of(x) >> (FloatTraits<T>::precision - p) << (FloatTraits<T>::precision - p));
}

namespace detail {

/// Two p-bit significands whose product is as near below a power of two as possible.
struct FullPair {
  std::uint64_t m, n;
  int bits;
};
template <int p>
constexpr FullPair full_pair() {
  constexpr std::uint64_t top = std::uint64_t{1} << p;
  FullPair best{top - 1, top - 1, 2 * p};
  for (std::uint64_t m = top / 2; p <= 4 && m < top; ++m) {
    for (std::uint64_t n = m; n < top; ++n) {
      const int bits = static_cast<int>(std::bit_width(m * n));
      // m·n/2^bits against best.m·best.n/2^best.bits
      if (m * n << best.bits > best.m * best.n << bits) best = {m, n, bits};
    }
  }
  return best;
}

/// Draws the products of a case.
template <FloatingPoint T, FloatingPoint C, int p>
class ChainDraw {
 public:
  using F = FloatTraits<T>;

  ChainDraw(Draw& draw, const ChainKind& kind) : draw_(draw), kind_(kind) {}

  Draw& draw() { return draw_; }
  const ChainKind& kind() const { return kind_; }
  ChainCase<T, C> result() { return std::move(case_); }
  [[nodiscard]] std::size_t size() const { return case_.a.size(); }
  void start(bool negative, int exponent) {
    if (kind_.start_bits != 0) case_.c = compose<C>(negative, 1, exponent);
  }
  void start_near(int exponent) {
    if (kind_.start_bits == 0 || draw_.one_in(3)) return;
    const bool negative = draw_.coin();
    const std::uint64_t m = draw_.word() >> (64 - kind_.start_bits) | 1;
    const int around = exponent + draw_.between(-6, 6);
    const std::uint64_t bits = bits_of(compose<C>(negative, m, around - static_cast<int>(std::bit_width(m)) + 1));
    const int missing = FloatTraits<C>::precision - kind_.start_bits;
    case_.c = number_of<C>(bits >> missing << missing);
  }

  /// ± a product just below 2^x, or 2^x.
  void below(int x, bool negative) {
    constexpr FullPair full = full_pair<p>();
    push(full.m, full.n, x - full.bits, negative);
  }
  void power(int x, bool negative) { push(1, 1, x, negative); }
  /// A product of any significands whose exponents add up to x.
  void any(int x, bool negative) {
    const std::uint64_t m = significand();
    const std::uint64_t n = significand();
    push(m, n, x - 2 * (p - 1), negative);
  }
  void numbers(T a, T b) {
    case_.a.push_back(a);
    case_.b.push_back(b);
  }
  T number(int exponent) {
    const bool negative = draw_.coin();
    return number(exponent, negative);
  }
  T number(int exponent, bool negative) {
    const std::uint64_t m = significand();
    return shortened<p>(compose<T>(negative, m, exponent - p + 1));
  }

  /// The exponents of normal elements that are used, and the least exponent of a product for which there are products
  /// `under` places below it, too.
  static constexpr int low = std::max(F::emin, -60);
  static constexpr int high = std::min(F::emax, 60);
  int exponent_with(int under) {
    const int least = 2 * low + 2 + under;
    return draw_.between(least, std::max(least, std::min({2 * high - 2, kind_.highest - 2, least + 12})));
  }
  int length() {
    const auto b = static_cast<std::uint64_t>(kind_.step.terms);
    const std::uint64_t kind = draw_.below(8);
    const std::uint64_t n = kind < 3   ? 1 + draw_.below(b)
                            : kind < 6 ? b * (1 + draw_.below(4))
                            : kind < 7 ? 1 + draw_.below(4 * b)
                                       : 8 * b + draw_.below(8 * b);
    return static_cast<int>(std::min<std::uint64_t>(n, longest_chain));
  }

 private:
  std::uint64_t significand() { return assay::detail::draw_significand<p>(draw_, Significand::any); }
  /// ±m·2^i · n·2^j with i + j = q.
  void push(std::uint64_t m, std::uint64_t n, int q, bool negative) {
    const int of_m = static_cast<int>(std::bit_width(m)) - 1;
    const int of_n = static_cast<int>(std::bit_width(n)) - 1;
    const int sum = q + of_m + of_n;  // of the exponents of both
    const int first = std::clamp(sum / 2 + draw_.between(-2, 2), std::max(low, sum - high), std::min(high, sum - low));
    const bool swap = draw_.coin();
    numbers(compose<T>(swap && negative, m, first - of_m), compose<T>(!swap && negative, n, sum - first - of_n));
  }

  Draw& draw_;
  const ChainKind& kind_;
  ChainCase<T, C> case_;
};

/// A leader 2^E, and in every step products that are lost as a whole: one of the size that the rounding of the result
/// drops, the others just below 2^(E − F).
template <class D>
void draw_below_the_cut(D& d, bool start) {
  const Step& step = d.kind().step;
  const int E = d.exponent_with(step.fraction_bits);
  const bool negative = d.draw().coin();
  const bool other_sign = d.draw().one_in(4);
  const bool same_signs = !d.draw().one_in(8);
  if (start) d.start(negative, E);
  const int n = d.length();
  const int leader_every = d.kind().period != 0 ? d.kind().period : start ? n + 1 : n;
  for (int i = 0; i < n; ++i) {
    const bool leads = !start && i % leader_every == 0;
    // After a leader that is a product, the large one takes the next place.
    const bool large = (i % leader_every) % step.terms == (!start && i % leader_every < step.terms ? 1 : 0);
    const bool sign = same_signs ? negative != other_sign : d.draw().coin();
    if (leads) {
      d.power(E, negative);
    } else if (!large) {
      d.below(E - step.fraction_bits, sign);
    } else if (step.result == Result::f16_rn) {
      d.power(E - 11, sign);
    } else {
      d.below(E - d.kind().result_bits, sign);
    }
  }
}

/// Two leaders that cancel in one step; after them the small products of the step are lost.
template <class D>
void draw_cancelling_leaders(D& d) {
  const Step& step = d.kind().step;
  const int E = d.exponent_with(step.fraction_bits);
  const bool negative = d.draw().coin();
  d.power(E, negative);
  d.power(E, !negative);
  const int n = d.length();
  for (int i = 0; i < n; ++i) d.below(E - step.fraction_bits + d.draw().between(0, 3), !negative);
}

/// Products with full significands at one exponent: the sum grows, and each step rounds.
template <class D>
void draw_full_significands(D& d) {
  const int E = d.exponent_with(0);
  const bool negative = d.draw().coin();
  const bool one_sign = d.draw().coin();
  d.start_near(E);
  const int n = d.length();
  for (int i = 0; i < n; ++i) d.any(E, one_sign ? negative : d.draw().coin());
}

/// Products of subnormal and large numbers, which raise E above their magnitude, and other products that are lost.
template <class D>
void draw_subnormal_times_large(D& d) {
  using F = typename D::F;
  const int large = std::min({F::emax - 1, d.kind().highest - F::emin - 1});
  const int E = F::emin + large;
  const int n = d.length();
  const bool negative = d.draw().coin();
  for (int i = 0; i < n; ++i) {
    if (i % d.kind().step.terms == 0) {
      const auto tiny = d.number(F::emin - 1 - d.draw().between(0, 2));
      const auto huge = d.number(large);
      d.draw().coin() ? d.numbers(tiny, huge) : d.numbers(huge, tiny);
    } else {
      d.below(std::max(2 * D::low + 2, E - d.kind().step.fraction_bits + d.draw().between(0, 1)), negative);
    }
  }
}

/// A sum that grows by a binade with each step or product.
template <class D>
void draw_growth(D& d) {
  const bool negative = d.draw().coin();
  const int every = d.draw().coin() ? 1 : d.kind().step.terms;
  int E = d.exponent_with(0);
  const int n = d.length();
  for (int i = 0; i < n; ++i) {
    d.any(E, negative);
    if ((i + 1) % every == 0 && E + 1 < std::min(2 * D::high, d.kind().highest)) ++E;
  }
}

/// Products whose exponents lie within a window, zeros among them.
template <class D>
void draw_window(D& d) {
  const int window = d.draw().between(0, 40);
  const int E = d.exponent_with(0);
  d.start_near(E);
  const int n = d.length();
  const int lowest = std::max(2 * D::low, E - window);
  for (int i = 0; i < n; ++i) {
    if (d.draw().one_in(16)) {
      d.numbers({}, d.number(d.draw().between(D::low, 0)));
    } else {
      const int exponent = d.draw().between(lowest, E);
      d.any(exponent, d.draw().coin());
    }
  }
}

/// Elements of every exponent, or the lowest ones, subnormal ones among them.
template <class D>
void draw_far_exponents(D& d, bool lowest) {
  using F = typename D::F;
  const int top = lowest ? F::emin + 2 : std::min(D::high, d.kind().highest / 2);
  const int n = d.length();
  for (int i = 0; i < n; ++i) {
    const auto element = [&] { return d.number(d.draw().between(F::emin - F::precision + 1, top)); };
    const auto a = element();
    d.numbers(a, element());
  }
}

/// Products around the smallest numbers of binary32: with c of that size, or all below 2⁻¹⁴⁹ and of one sign, so that
/// their sum is the part that alignment leaves.
template <class D>
void draw_least_products(D& d) {
  const bool below = d.draw().coin();
  const bool negative = d.draw().coin();
  const int n = d.length();
  if (!below) d.start_near(-145 + d.draw().between(0, 20));
  for (int i = 0; i < n; ++i) {
    const int exponent = below ? d.draw().between(-155, -149) : d.draw().between(-156, -120);
    const int of_a = d.draw().between(-100, -60);
    const auto a = d.number(of_a, negative);
    d.numbers(a, d.number(exponent - of_a, !below && d.draw().coin()));
  }
}

}  // namespace detail

/// The classes of chains for elements of p bits.
template <FloatingPoint T, FloatingPoint C, int p, class Case = ChainCase<T, C>>
std::vector<InputClass<Case>> chain_classes(const ChainKind& kind, SharedFunction<Case(Draw&, ChainCase<T, C>)> made) {
  using D = detail::ChainDraw<T, C, p>;
  const auto of = [&](const char* name, unsigned weight, auto fill) {
    return InputClass<Case>{name, weight, drawn<Case>([=](Draw& draw) {
                              D d(draw, kind);
                              fill(d);
                              return made(draw, d.result());
                            })};
  };
  std::vector<InputClass<Case>> classes{
      of("a leading product, the others below the cut", 3, [](D& d) { detail::draw_below_the_cut(d, false); }),
      of("two leaders that cancel", 1, [](D& d) { detail::draw_cancelling_leaders(d); }),
      of("full significands at one exponent", 1, [](D& d) { detail::draw_full_significands(d); }),
      of("subnormal times large", 1, [](D& d) { detail::draw_subnormal_times_large(d); }),
      of("growth by a binade", 1, [](D& d) { detail::draw_growth(d); }),
      of("exponents in a window", 2, [](D& d) { detail::draw_window(d); }),
      of("every exponent", 1, [](D& d) { detail::draw_far_exponents(d, false); }),
      of("lowest exponents", 1, [](D& d) { detail::draw_far_exponents(d, true); })};
  if (FloatTraits<T>::emin < -100) {
    classes.push_back(of("products around 2^-149", 1, [](D& d) { detail::draw_least_products(d); }));
  }
  if (kind.start_bits != 0) {
    classes.push_back(of("c leads, the products below the cut", 3, [](D& d) { detail::draw_below_the_cut(d, true); }));
  }
  return classes;
}

/// Whether there are not too many products, the numbers are finite with at most p bits, c with `start_bits`, and the
/// magnitudes are at most 2^most.
template <int p, class Case>
bool in_chain_domain(int start_bits, int most, const Case& c) {
  using T = typename decltype(c.a)::value_type;
  const auto fits = [](const T& x) {
    return oracle::is_finite(format_of<T>(), bits_of(x)) && bits_of(shortened<p>(x)) == bits_of(x);
  };
  if (c.a.size() != c.b.size() || c.a.size() > longest_chain || !std::all_of(c.a.begin(), c.a.end(), fits) ||
      !std::all_of(c.b.begin(), c.b.end(), fits)) {
    return false;
  }
  if constexpr (requires { c.c; }) {
    using C = decltype(c.c);
    const std::uint64_t bits = bits_of(c.c);
    const int missing = FloatTraits<C>::precision - start_bits;
    if (!oracle::is_finite(format_of<C>(), bits) || bits >> missing << missing != bits ||
        (start_bits == 0 && bits != 0)) {
      return false;
    }
  }
  const MatrixProducts products = exact_products_of(c).products;
  return std::max(products.magnitude, products.lifted) <= oracle::Dyadic::scaled(1, most);
}

template <FloatingPoint T, FloatingPoint C, int p = FloatTraits<T>::precision>
Domain<ChainCase<T, C>> chain_domain(const ChainKind& kind) {
  using Case = ChainCase<T, C>;
  Domain<Case> domain;
  domain.classes = chain_classes<T, C, p, Case>(kind, [](Draw&, Case c) { return c; });
  domain.contains = [kind](const Case& c) { return in_chain_domain<p>(kind.start_bits, kind.most, c); };
  domain.features = {{"k", 0, 300, 60, [](const Case& c) { return static_cast<double>(c.a.size()); }}};
  domain.accepts = "up to 600 products of numbers of " + std::to_string(p) + " bits, and c of " +
                   std::to_string(kind.start_bits) + " bits; the sum of magnitudes is at most 2^" +
                   std::to_string(kind.most);
  return domain;
}

}  // namespace assay::tensor_core
