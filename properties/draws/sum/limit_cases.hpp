#pragma once
// Vectors at the limits of the hypotheses of accurate sums: residues as large as possible, sums at the threshold of
// stopping, numbers that no scaling brings into the range.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "properties/draws/sum/dot_cases.hpp"

namespace assay::sum {

/// M = ⌈log₂(n + 2)⌉.
inline int sum_headroom(std::size_t n) { return static_cast<int>(std::bit_width(n + 1)); }

namespace detail {

/// The weight of the lowest place of T.
template <FloatingPoint T>
inline constexpr int lowest_place = FloatTraits<T>::emin - FloatTraits<T>::precision + 1;

/// The highest terms cancel, one remains, and the others have one sign and are too small for the first extraction. Half
/// of the cases have terms a little less than half a place of their sum above a power of two: the errors of most
/// additions have that size and the same sign. Half of the cases are constructed for σ = 2Σ|xⱼ| and the threshold 2(n +
/// 2)²u·σ of FastAccSum, some also for a threshold 2(n + 2)u·σ. In most of the others the remaining term is at least
/// 2^(2M − p)·μ, μ the largest: an algorithm that stops at 2^(M − p)·σ, σ = 2^M·μ, adds the small terms with errors,
/// but one that stops at 2^(2M − p)·σ does not. The rest have no such term, or a smaller one: PrecSum with one
/// extraction too few adds with errors that exceed u^k·Σ|xⱼ|.
template <FloatingPoint T>
SumCase<T> draw_stopping_sum(Draw& draw, std::size_t longest) {
  constexpr int p = FloatTraits<T>::precision;
  const int headroom = std::min(draw.one_in(3) ? draw.between(9, 12) : draw.between(6, 8), sum_headroom(longest));
  const std::size_t n = std::min(longest, (std::size_t{1} << headroom) - 2 - draw.below(4));
  const int exponent = draw.between(-8, 8);
  const bool of_magnitudes = draw.coin();
  const bool leaves_little = !of_magnitudes && draw.one_in(3);
  const int small = exponent - p + (of_magnitudes ? 0 : headroom - 1);
  const bool negative = draw.coin();
  const bool dense = draw.coin();
  SumCase<T> c;
  while (c.x.size() + 3 < n) {
    const std::uint64_t low_bits = (std::uint64_t{1} << (headroom - 2)) - 1 - draw.below(2);
    c.x.push_back(dense ? draw_number<T>(draw, Significand::dense, small, negative)
                        : compose<T>(negative, (std::uint64_t{1} << (p - 1)) + low_bits, small - p + 1));
  }
  const T largest = compose<T>({.exponent = exponent, .significand = 1, .negative = draw.coin()});
  const int threshold = exponent - p + headroom +
                        (of_magnitudes   ? draw.between(2, headroom)
                         : leaves_little ? draw.between(0, headroom)
                                         : headroom + draw.between(0, headroom / 2));
  c.x.push_back(largest);
  c.x.push_back(negated(largest));
  const bool leaves_none = leaves_little && draw.coin();
  c.x.push_back(leaves_none ? T{} : draw_number<T>(draw, Significand::any, std::min(threshold, exponent - 1)));
  if (draw.coin()) shuffle(draw, c.x);
  return c;
}

/// Like draw_stopping_sum() with few terms: residues between 3/4 and 1 times uσ, σ = 2^M·μ; the remaining term just
/// above 2^M·uσ has the other sign, so that the sum is small compared with the errors of adding the residues.
template <FloatingPoint T>
SumCase<T> draw_short_stopping_sum(Draw& draw) {
  constexpr int p = FloatTraits<T>::precision;
  const int headroom = draw.between(4, 5);
  const int exponent = draw.between(-8, 8);
  const int place = exponent + headroom - p;  // uσ = 2^place
  SumCase<T> c;
  c.x.push_back(compose<T>(false, 1, exponent));
  c.x.push_back(compose<T>(true, 1, exponent));
  c.x.push_back(compose<T>(true, (std::uint64_t{1} << headroom) + 1 + draw.below(2), place));
  while (c.x.size() < (std::size_t{1} << headroom) - 2) {
    c.x.push_back(compose<T>(false, (std::uint64_t{1} << p) - 1 - draw.below(std::uint64_t{1} << (p - 2)), place - p));
  }
  return c;
}

/// For σ₀ = 2Σ|xⱼ|/(1 − (3n + 1)u) of FastAccSum, a little below 2^(e + 1), with g = u·2^e: C, terms just below 2g of
/// one sign, −C and about 2ng. With C the sum that starts from σ₀ exceeds 2^(e + 1) and stays there, so that every
/// residue is as large as it may be, nearly 2g, and all have one sign. Then they cancel the rest of the sum.
template <FloatingPoint T>
SumCase<T> draw_largest_residues(Draw& draw, std::size_t longest) {
  constexpr int p = FloatTraits<T>::precision;
  const int log2_n = draw.one_in(10) ? draw.between(9, 11) : draw.between(3, 8);
  const std::size_t n = std::min(longest, (std::size_t{1} << log2_n) - draw.below(3));
  const int e = draw.between(-8, 8);
  const bool negative = draw.coin();
  const std::uint64_t halves = (std::uint64_t{1} << p) - 6 * n - draw.below(n);  // C in units of g/2
  const std::uint64_t left = 4 * n + 4 - draw.below(10);
  SumCase<T> c;
  c.x.push_back(compose<T>(negative, halves, e - p - 1));
  while (c.x.size() + 1 < n) {
    c.x.push_back(compose<T>(!negative, (std::uint64_t{1} << p) - 1 - draw.below(8), e - 2 * p + 1));
  }
  c.x.push_back(compose<T>(!negative, halves - left, e - p - 1));
  return c;
}

/// The least n = 2^M with 2M ≥ p. From there on residues alone may reach the threshold of AccSign.
template <FloatingPoint T>
inline constexpr std::size_t first_sign_trap = std::size_t{1} << ((FloatTraits<T>::precision + 1) / 2);

/// n = 2^M terms, 2M ≥ p, near 3δ, whose sum is 0 or some δ: the first extraction leaves −3·2^M·δ, the second adds
/// 4δ for each term and leaves −δ of it, so that its sum is the threshold 2^M·u·σ = nδ of an algorithm that takes
/// M = log₂ n, though nδ is what the residues cancel.
template <FloatingPoint T>
SumCase<T> draw_sign_trap(Draw& draw, std::size_t longest) {
  constexpr int p = FloatTraits<T>::precision;
  const int most = static_cast<int>(std::bit_width(longest)) - 1;
  const int m = draw.between(static_cast<int>(std::bit_width(first_sign_trap<T>)) - 1, most);
  const int delta = draw.between(-8, 8) - p;  // δ = 2^delta
  const bool negative = draw.coin();
  SumCase<T> c;
  c.x.assign(std::size_t{1} << m, compose<T>(negative, 3, delta));
  const auto put = [&](std::size_t at, std::int64_t deltas) {
    c.x[at] = compose<T>(negative != (deltas < 0), static_cast<std::uint64_t>(deltas < 0 ? -deltas : deltas), delta);
  };
  const std::int64_t largest = std::int64_t{1} << (2 * p - 2 * m);
  put(0, 3 - largest);
  put(1, 3 + largest / 2);
  put(2, 3 + largest / 2);
  put(3, 3 - 3 * (std::int64_t{1} << m));
  if (draw.coin()) put(4, 3 + draw.between(-1, 1));
  return c;
}

/// A number near the largest number, and numbers so small that none of their multiples needed for n terms is a number.
template <FloatingPoint T>
SumCase<T> draw_both_ends(Draw& draw) {
  using F = FloatTraits<T>;
  const bool same_sign = draw.coin();
  SumCase<T> c = draw_terms<T>(draw, 2 + draw.below(draw.one_in(10) ? 300 : 8), Significand::any, 0, 8, same_sign);
  const int headroom = sum_headroom(c.x.size());
  c.x.back() = draw_number<T>(draw, Significand::any, F::emax - draw.between(0, headroom + 2));
  const auto odd = 2 * draw.below(std::uint64_t{1} << draw.between(0, F::precision - 2)) + 1;
  c.x.front() = compose<T>(
      {.exponent = lowest_place<T> + draw.between(0, headroom + 1), .significand = odd, .negative = draw.coin()});
  if (draw.one_in(3)) shuffle(draw, c.x);
  return c;
}

/// The number of terms in a short format: 2^(p − 2), 2^(p − 1), 2^p or 2^(p + 1), the limits of theorems that require
/// 4nu, 2nu or nu ≤ 1, and one more or less; or a few.
template <FloatingPoint T>
std::size_t draw_length_at_limit(Draw& draw) {
  if (draw.one_in(3)) return 1 + draw.below(10);
  const int log2_n = FloatTraits<T>::precision + (draw.one_in(8) ? 1 : draw.between(-2, 0));
  return (std::size_t{1} << log2_n) - 1 + draw.below(3);
}

/// Small exponents of n terms: their sum is far from overflow, and its error is far from underflow.
template <FloatingPoint T>
int draw_small_exponent(Draw& draw, std::size_t n) {
  return FloatTraits<T>::emax - 4 - static_cast<int>(std::bit_width(n)) - draw.between(0, 2);
}

/// Up to 2^(p + 1) + 1 terms of short formats: with n as in draw_length_at_limit().
template <FloatingPoint T>
std::vector<InputClass<SumCase<T>>> limit_classes() {
  constexpr int p = FloatTraits<T>::precision;
  const auto terms = [](Significand kind, bool one_sign) {
    return drawn<SumCase<T>>([=](Draw& draw) {
      const std::size_t n = draw_length_at_limit<T>(draw);
      const int e = draw_small_exponent<T>(draw, n);
      return draw_terms<T>(draw, n, kind, e - draw.between(0, 2), e, one_sign);
    });
  };
  return {{"n at a limit, dense, one sign", 2, terms(Significand::dense, true)},
          {"n at a limit, any significand, both signs", 2, terms(Significand::any, false)},
          {"n at a limit, equal terms and their multiples", 2, drawn<SumCase<T>>([](Draw& draw) {
             const std::size_t n = draw_length_at_limit<T>(draw);
             SumCase<T> c;
             c.x.assign(
                 n,
                 compose<T>({.exponent = draw_small_exponent<T>(draw, n), .significand = 1, .negative = draw.coin()}));
             if (draw.coin()) c.x[draw.below(n)] = T{};
             return c;
           })},
          {"n at a limit, 1, u, u, …", 2, drawn<SumCase<T>>([](Draw& draw) {
             const std::size_t n = draw_length_at_limit<T>(draw);
             const int e = draw_small_exponent<T>(draw, n);
             const bool negative = draw.coin();
             SumCase<T> c;
             c.x.assign(n, stepped(compose<T>(negative, 1, e - p), draw.coin() ? 0 : draw.between(-1, 1)));
             c.x.front() = compose<T>(negative, 1, e);
             return c;
           })},
          {"n at a limit, cancellation to a small term", 1, drawn<SumCase<T>>([](Draw& draw) {
             const std::size_t n = (draw_length_at_limit<T>(draw) + 1) / 2;
             const int e = draw_small_exponent<T>(draw, 2 * n);
             SumCase<T> c = draw_terms<T>(draw, n, Significand::any, e - 2, e, false);
             for (std::size_t i = 0; i < n; ++i) c.x.push_back(negated(c.x[i]));
             c.x.back() = stepped(c.x.back(), draw.between(-2, 2));
             shuffle(draw, c.x);
             return c;
           })}};
}

/// Limit classes as dot products: with factors of 1, and with factors that lose all products of one sign to underflow.
template <FloatingPoint T>
std::vector<InputClass<DotCase<T>>> dot_limit_classes() {
  std::vector<InputClass<DotCase<T>>> classes{
      {"products of one sign just below η/2", 1, drawn<DotCase<T>>(draw_lost_products<T>)},
      {"n at a limit, dense products of one sign", 2, drawn<DotCase<T>>([](Draw& draw) {
         const std::size_t n = draw_length_at_limit<T>(draw);
         const int e = draw_small_exponent<T>(draw, n) - 2;
         return draw_factors<T>(draw, n, Significand::dense, e, e, true);
       })},
      {"n at a limit, any products", 2, drawn<DotCase<T>>([](Draw& draw) {
         const std::size_t n = draw_length_at_limit<T>(draw);
         const int e = draw_small_exponent<T>(draw, n) - 2;
         return draw_factors<T>(draw, n, Significand::any, e - 2, e, false);
       })}};
  for (const InputClass<SumCase<T>>& each : limit_classes<T>()) {
    classes.push_back({"sum: " + each.name, each.weight, drawn<DotCase<T>>([of = each.generator](Draw& draw) {
                         return with_powers_of_two<T>(draw, of(rc::Random(draw.word())));
                       })});
  }
  return classes;
}

/// A domain with classes at the limits. A format with a small range has few other classes.
template <FloatingPoint T, class Case>
Domain<Case> with_limits(Domain<Case> domain, std::vector<InputClass<Case>> classes) {
  if (FloatTraits<T>::emax < 100) {
    std::erase_if(domain.classes, [](const auto& each) { return each.name.find("one way") == std::string::npos; });
    domain.traits = nullptr;
  }
  for (InputClass<Case>& each : classes) domain.classes.push_back(std::move(each));
  return domain;
}

}  // namespace detail

/// Domains of short formats, whose vectors reach the limits of the theorems' conditions on n. The domains of bfloat16,
/// which has the exponents of binary32, also have the classes of longer formats.
template <FloatingPoint T>
Domain<SumCase<T>> short_sum_domain() {
  return detail::with_limits<T>(sum_domain<T>(), detail::limit_classes<T>());
}
template <FloatingPoint T>
Domain<DotCase<T>> short_dot_domain() {
  return detail::with_limits<T>(dot_domain<T>(), detail::dot_limit_classes<T>());
}

/// The claim for up to `most` terms.
template <FloatingPoint T>
auto while_short(std::string condition, std::size_t most, auto claim) {
  return when(
      std::move(condition), [most](const auto& c) { return c.x.size() <= most; }, std::move(claim));
}

}  // namespace assay::sum
