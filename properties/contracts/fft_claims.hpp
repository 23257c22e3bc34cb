#pragma once
// Contracts of discrete Fourier transforms, and how each signal of a case is judged by them.

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/fft_theorems.hpp"
#include "properties/contracts/fft_cases.hpp"
#include "properties/contracts/left_out.hpp"

namespace assay::contracts::fft {

/// What a bound is relative to: the norm of the transform; Σ|xⱼ| for transforms by stages; Σ|xⱼ| for direct sums.
enum class Relative { norm, each, direct };

/// The theorem that carries a bound of the complex transform over to the operation, or that bound's own.
template <class Of>
const TheoremWords& words_of(const TheoremWords& of_complex, Relative relative) {
  if constexpr (is_plane<Of>) return fft_two_dimensions_1.words;
  if constexpr (is_half<Of>) {
    if (relative == Relative::direct) return is_inverse<Of> ? fft_inverse_1.words : of_complex;
    if (is_inverse<Of>) return relative == Relative::norm ? fft_real_3.words : fft_real_4.words;
    return relative == Relative::norm ? fft_real_1.words : fft_real_2.words;
  }
  return is_inverse<Of> ? fft_inverse_1.words : of_complex;
}

/// What is added to its statement.
template <class Of>
std::string instance_of(const TheoremWords& of_complex, Relative relative) {
  if (std::is_same_v<Of, OfRows>) return "of each row";
  if (&words_of<Of>(of_complex, relative) == &of_complex) return {};
  return std::string("B as ") + of_complex.id.text + " has it";
}

/// The bound for a signal of these lengths with numbers of p bits; nothing where a hypothesis on them fails.
template <class Of>
std::optional<RelativeBound> bound_for(const auto& theorem, Relative relative, const Lengths& lengths, int p) {
  try {
    RelativeBound bound = theorem(lengths.columns, p);
    if (is_plane<Of>) bound = fft_two_dimensions_1(theorem(lengths.rows, p), bound);
    if (is_half<Of> && relative == Relative::norm) {
      bound = is_inverse<Of> ? fft_packed_bound(bound, p) : fft_real_1(bound, p);
    }
    if (is_half<Of> && relative == Relative::each) {
      bound = is_inverse<Of> ? fft_each_real_bound(bound, p) : fft_real_2(bound, p);
    }
    if (is_inverse<Of>) bound = fft_inverse_1(bound, lengths.points(), p);
    return bound;
  } catch (const std::domain_error&) {
    return std::nullopt;
  }
}

/// The larger of the bounds that hold.
inline std::optional<RelativeBound> larger(const std::optional<RelativeBound>& a,
                                           const std::optional<RelativeBound>& b) {
  if (!a || !b) return a ? a : b;
  return a->numerator * b->denominator < b->numerator * a->denominator ? b : a;
}

/// judge(facts, numbers of the result, place of the first) for each signal, as one judgement. If it `is_of_all` numbers
/// of a signal together, all of them violate it.
template <class Of, FloatingPoint T>
Judgement judge_signals(const auto& c, const std::vector<T>& result, bool is_of_all, const auto& judge) {
  const std::vector<Facts>& facts = facts_of<Of>(c);
  Judgement worst;
  std::size_t judged = 0;
  for (std::uint64_t s = 0; s < facts.size() && !are_enough(worst.violations()); ++s) {
    const std::vector<T> numbers = part_of(result, facts.size(), s);
    Judgement each = judge(facts[s], numbers, s * numbers.size());
    if (is_of_all && each.verdict == Verdict::violated) each.further = numbers.size() - 1;
    worst.worsen(each);
    judged += numbers.size();
  }
  worst.judged = judged;
  return worst;
}

template <FloatingPoint T>
std::optional<std::size_t> first_that_is_not_finite(const std::vector<T>& numbers) {
  const auto at =
      std::ranges::find_if(numbers, [](const T& each) { return !oracle::is_finite(format<T>, bits_of(each)); });
  if (at == numbers.end()) return std::nullopt;
  return static_cast<std::size_t>(at - numbers.begin());
}

/// ‖ŷ − y‖ ≤ bound·‖y‖, of the whole transform. How far the truth is off is added to the bound.
template <class Of, FloatingPoint T>
Judgement judge_norm(const auto& c, const std::vector<Dyadic>& truth, const std::vector<T>& result,
                     const RelativeBound& bound) {
  const Lengths lengths = Of::layout(c).lengths;
  return judge_signals<Of>(c, result, true, [&](const Facts& facts, const std::vector<T>& numbers, std::size_t first) {
    if (const auto at = first_that_is_not_finite(numbers)) return Judgement::fail(first + *at);
    Dyadic squares;
    Dyadic largest;
    std::size_t at = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const Dyadic difference = value_of(numbers[i]) - truth[first + i];
      squares += Dyadic(weight_of(Of::transform, lengths, i)) * difference * difference;
      if (compare_abs(difference, largest) > 0) {
        largest = difference;
        at = i;
      }
    }
    const Dyadic off = Dyadic(2 * numbers.size()) * transformed<Of>(c).radius;
    return judge_within(Dyadic(), oracle::Exact(oracle::square_root(squares)),
                        Bound{bound.numerator * facts.norm + bound.denominator * off, bound.denominator}, first + at);
  });
}

/// |part of ŷₖ − part of yₖ| ≤ bound·Σ|xⱼ| for both parts of every k. How far the truth is off is added to the bound.
template <class Of, FloatingPoint T>
Judgement judge_each(const auto& c, const std::vector<Dyadic>& truth, const std::vector<T>& result,
                     const RelativeBound& relative) {
  return judge_signals<Of>(c, result, false, [&](const Facts& facts, const std::vector<T>& numbers, std::size_t first) {
    const Bound bound{relative.numerator * facts.sum + relative.denominator * transformed<Of>(c).radius,
                      relative.denominator};
    Judgement worst;
    for (std::size_t i = 0; i < numbers.size() && !are_enough(worst.violations()); ++i) {
      worst.worsen(oracle::is_finite(format<T>, bits_of(numbers[i]))
                       ? judge_within(value_of(numbers[i]), truth[first + i], bound, first + i)
                       : Judgement::fail(first + i));
    }
    return worst;
  });
}

/// |‖ŷ‖² − ‖y‖²| ≤ (2B + B²)‖y‖² of the whole transform, ‖y‖² = n‖x‖², or ‖x‖²/n of an inverse.
template <class Of, FloatingPoint T>
Judgement judge_parseval(const auto& c, const std::vector<T>& result, const RelativeBound& bound) {
  const Lengths lengths = Of::layout(c).lengths;
  const Dyadic factor = is_inverse<Of> ? Dyadic(lengths.points()) : Dyadic(1);
  const RelativeBound of_square = fft_two_dimensions_1(bound, bound);
  return judge_signals<Of>(c, result, true, [&](const Facts& facts, const std::vector<T>& numbers, std::size_t first) {
    if (const auto at = first_that_is_not_finite(numbers)) return Judgement::fail(first + *at);
    Dyadic squares;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const Dyadic number = value_of(numbers[i]);
      squares += Dyadic(weight_of(Of::transform, lengths, i)) * number * number;
    }
    return judge_within(factor * factor * squares, facts.square,
                        Bound{of_square.numerator * facts.square, of_square.denominator}, first);
  });
}

template <class Of, FloatingPoint T>
std::string in_words(const std::string& lengths) {
  const std::string lowest = "2^" + std::to_string(lowest_norm<T>);
  return lengths + ", and ‖x‖ from " + (is_inverse<Of> ? "n·" : "") + lowest + " to 2^" +
         std::to_string(largest_norm<T>) +
         (std::is_same_v<Of, ToReal> ? ", and the imaginary parts that are not used are 0" : "");
}

/// Whether the numbers that a transform to real numbers does not use are 0.
template <class Of>
bool uses_all(const auto& c) {
  if constexpr (std::is_same_v<Of, ToReal>) {
    return has_real_ends(c.x, Of::layout(c).lengths);
  } else {
    return true;
  }
}

/// Whether the bounds speak of every signal of the case: it is in their range, or 0 and its transform, too; not all are
/// 0.
template <class Of>
bool has_range(const auto& c) {
  const std::vector<Facts>& facts = facts_of<Of>(c);
  return std::ranges::any_of(facts, &Facts::is_in_range) &&
         std::ranges::all_of(facts, [](const Facts& each) { return each.is_in_range || each.is_zero; });
}

/// The bound of the theorem of complex transforms, carried over to the operation.
template <class Of, FloatingPoint T>
auto error_of(const char* id, const AnyTheorem auto& theorem, Relative relative, const char* lengths,
              bool (*applies)(const typename Of::template Case<T>&) = uses_all<Of>) {
  using Case = typename Of::template Case<T>;
  const auto bound = [=](const Case& c) {
    return bound_for<Of>(theorem, relative, Of::layout(c).lengths, FloatTraits<T>::precision);
  };
  const auto judge = [=](const Case& c, const std::vector<Dyadic>& truth, const std::vector<T>& result) {
    return relative == Relative::norm ? judge_norm<Of>(c, truth, result, *bound(c))
                                      : judge_each<Of>(c, truth, result, *bound(c));
  };
  const std::string instance = instance_of<Of>(theorem.words, relative);
  auto claim = claim_spec(id, Theorem<NoBound>{words_of<Of>(theorem.words, relative), {}}, judge);
  if (!instance.empty()) claim.info.statement += ": " + instance;
  return when(
      in_words<Of, T>(lengths), [=](const Case& c) { return applies(c) && has_range<Of>(c) && bound(c).has_value(); },
      std::move(claim));
}

/// The norm of the result by Parseval's equation.
template <class Of, FloatingPoint T>
auto norm_of_result(const char* lengths) {
  using Case = typename Of::template Case<T>;
  const auto bound = [](const Case& c) {
    const auto of = [&](const auto& theorem) {
      return bound_for<Of>(theorem, Relative::norm, Of::layout(c).lengths, FloatTraits<T>::precision);
    };
    return larger(of(fft_any_length_1), of(fft_mixed_radix_1));
  };
  return when(
      in_words<Of, T>(lengths),
      [=](const Case& c) { return uses_all<Of>(c) && has_range<Of>(c) && bound(c).has_value(); },
      claim_spec("parseval", fft_parseval_1,
                 [=](const Case& c, const std::vector<Dyadic>&, const std::vector<T>& result) {
                   return judge_parseval<Of>(c, result, *bound(c));
                 }));
}

/// Whether the transform of a signal is a sum that no order rounds, or its first number alone is not 0.
template <FloatingPoint T>
bool is_exact_signal(const std::vector<Dyadic>& x, const Lengths& lengths, bool is_inverse) {
  const std::uint64_t n = lengths.points();
  const auto is_short = [](std::uint64_t length) { return length == 1 || length == 2 || length == 4; };
  if (!std::has_single_bit(n)) return false;
  if (!is_first_alone(x) && !(is_short(lengths.rows) && is_short(lengths.columns))) return false;
  Dyadic sum;
  std::optional<long> grid;
  for (const Dyadic& each : x) {
    sum += abs(each);
    if (!each.is_zero()) grid = std::min(grid.value_or(each.lowest_exponent()), each.lowest_exponent());
  }
  if (!grid) return true;
  const long divided = is_inverse ? static_cast<long>(std::bit_width(n)) - 1 : 0;
  constexpr long least = FloatTraits<T>::emin - FloatTraits<T>::precision + 1;
  if (is_inverse && *grid - divided < least) return false;
  if (is_first_alone(x)) return true;
  return sum <= Dyadic::scaled(1, FloatTraits<T>::emax) && sum <= Dyadic::scaled(1, *grid + FloatTraits<T>::precision);
}

template <class Of, FloatingPoint T>
bool is_exact_case(const typename Of::template Case<T>& c) {
  if (!all_finite(c.x) || !uses_all<Of>(c)) return false;
  const Layout layout = Of::layout(c);
  for (std::uint64_t s = 0; s < layout.signals; ++s) {
    if (!is_exact_signal<T>(signal_of<Of>(c, s), layout.lengths, is_inverse<Of>)) return false;
  }
  return true;
}

template <class Case>
bool is_real(const Case& c) {
  for (std::size_t i = 1; i < c.x.size(); i += 2) {
    if (c.x[i] != 0) return false;
  }
  return !c.x.empty() && all_finite(c.x);
}

/// ŷ at −k is the conjugate of ŷ at k. Zeros of both signs are equal.
template <class Of, FloatingPoint T>
Judgement is_symmetric(const typename Of::template Case<T>& c, const std::vector<T>& result) {
  const Layout layout = Of::layout(c);
  const auto [rows, columns] = layout.lengths;
  for (std::size_t at = 0; at < result.size() / 2; ++at) {
    const std::size_t signal = at / layout.lengths.points();
    const std::size_t row = at / columns % rows;
    const std::size_t mirror =
        signal * layout.lengths.points() + (rows - row) % rows * columns + (columns - at % columns) % columns;
    if (result[2 * at] != result[2 * mirror]) return Judgement::fail(2 * at);
    if (result[2 * at + 1] != -result[2 * mirror + 1]) return Judgement::fail(2 * at + 1);
  }
  return Judgement::pass();
}

/// The imaginary parts of ŷ₀ and, for even n, of ŷ_{n/2} are 0.
template <FloatingPoint T>
Judgement has_real_ends_of(const FftCase<T>& c, const std::vector<T>& result) {
  if (result[1] != 0) return Judgement::fail(1);
  return Judgement::of(c.x.size() % 2 == 1 || result[c.x.size() + 1] == 0, c.x.size() + 1);
}

/// Every complex number of the transform of a signal that is not finite has a part that is no finite number; those of
/// other signals are finite.
template <class Of, FloatingPoint T>
Judgement is_spoilt(const typename Of::template Case<T>& c, const std::vector<T>& result) {
  const std::uint64_t signals = Of::layout(c).signals;
  const auto is_number = [&](std::size_t at) { return oracle::is_finite(format<T>, bits_of(result[at])); };
  for (std::size_t i = 0; i < result.size(); i += 2) {
    const std::uint64_t s = i / (result.size() / signals);
    const bool is_finite = all_finite(part_of(c.x, signals, s));
    const bool are_numbers = is_number(i) && is_number(i + 1);
    if (!is_finite && are_numbers) return Judgement::fail(i);
    if (facts_of<Of>(c)[s].is_in_range && !are_numbers) return Judgement::fail(i);
  }
  return Judgement::pass();
}

constexpr const char* powers = "n is a power of two";
constexpr const char* any = "n ≥ 1";

/// The claims that all operations have, in the order of their contracts.
template <class Of, FloatingPoint T>
std::vector<Claim<typename Of::template Case<T>, std::vector<T>, std::vector<Dyadic>>> shared_claims() {
  using enum Relative;
  std::vector<Claim<typename Of::template Case<T>, std::vector<T>, std::vector<Dyadic>>> claims{
      error_of<Of, T>("power_of_two", fft_power_of_two_1, norm, powers),
      error_of<Of, T>("power_of_two_computed", fft_power_of_two_2, norm, powers),
      error_of<Of, T>("mixed_radix", fft_mixed_radix_1, norm, any),
      error_of<Of, T>("any_length", fft_any_length_1, norm, any),
      error_of<Of, T>("each_power_of_two", fft_each_1, each, powers),
      error_of<Of, T>("each_power_of_two_computed", fft_each_2, each, powers),
      error_of<Of, T>("each_mixed_radix", fft_each_3, each, any)};
  if constexpr (!is_plane<Of>) claims.push_back(error_of<Of, T>("direct", fft_direct_1, direct, any));
  claims.push_back(norm_of_result<Of, T>(any));
  claims.push_back(when("lengths are 1, 2 or 4 and no sum is rounded, or n is a power of two and x₀ alone is not 0",
                        is_exact_case<Of, T>, exact("exact", fft_exact_1)));
  return claims;
}

/// The contracts of these claims.
template <class Of>
std::vector<Contract> shared_contracts() {
  using enum Relative;
  const auto of = [](const char* id, const auto& theorem, Relative relative, std::vector<std::string> implies = {}) {
    return Contract{id, &words_of<Of>(theorem.words, relative), instance_of<Of>(theorem.words, relative),
                    std::move(implies)};
  };
  std::vector<Contract> contracts{of("power_of_two", fft_power_of_two_1, norm, {"power_of_two_computed"}),
                                  of("power_of_two_computed", fft_power_of_two_2, norm),
                                  of("mixed_radix", fft_mixed_radix_1, norm, {"power_of_two_computed"}),
                                  of("any_length", fft_any_length_1, norm, {"parseval"}),
                                  of("each_power_of_two", fft_each_1, each, {"each_power_of_two_computed"}),
                                  of("each_power_of_two_computed", fft_each_2, each),
                                  of("each_mixed_radix", fft_each_3, each, {"each_power_of_two_computed"})};
  if (!is_plane<Of>) contracts.push_back(of("direct", fft_direct_1, direct));
  contracts.push_back({"parseval", &fft_parseval_1.words, {}, {}, false});
  contracts.push_back({"exact", &fft_exact_1.words});
  return contracts;
}

/// Those of complex results besides: of real numbers, and of a NaN or an infinity.
template <class Of, FloatingPoint T>
auto complex_claims() {
  using Case = typename Of::template Case<T>;
  auto claims = shared_claims<Of, T>();
  claims.push_back(
      when("the imaginary parts are 0", is_real<Case>, satisfies("symmetric", fft_symmetric_1, is_symmetric<Of, T>)));
  claims.push_back(when(
      "a NaN or an infinity is among the numbers", [](const Case& c) { return !all_finite(c.x); },
      satisfies("exceptional", fft_exceptional_1, is_spoilt<Of, T>)));
  return claims;
}
template <class Of>
std::vector<Contract> complex_contracts() {
  std::vector<Contract> contracts = shared_contracts<Of>();
  contracts.push_back({"symmetric", &fft_symmetric_1.words, {}, {}, false});
  contracts.push_back({"exceptional", &fft_exceptional_1.words, {}, {}, false});
  return leaving_out(std::move(contracts), {"symmetric"});
}

/// Calls the function with the lengths of the case, x and y.
template <class Of, FloatingPoint T>
void call_fft(const ForeignKernel& kernel, const Executor& on, const typename Of::template Case<T>& c, T* y) {
  thread_local FencedMemory memory;
  const FencedArray<T> x(memory, c.x);
  if constexpr (requires { c.rows; }) {
    function<void(std::size_t, std::size_t, const T*, T*)>(kernel)(static_cast<std::size_t>(c.rows),
                                                                   static_cast<std::size_t>(c.columns), x.data(), y);
  } else {
    function<void(std::size_t, const T*, T*)>(kernel)(Of::layout(c).lengths.points(), x.data(), y);
  }
  check_input(x, on, c.x, "x");
}

/// The property of a kernel of the operation. claims_of: the claims in the order of the contracts.
template <class Of, FloatingPoint T>
std::unique_ptr<PropertyModel> transform_property(const Question& question, const ForeignKernel& kernel, auto claims) {
  using Case = typename Of::template Case<T>;
  return property_of(
      ArrayOperation<T, Case>{
          Of::name, fft_domain<Of, T>(), [](const Case& c) { return unwritten<T>(numbers_given<Of>(Of::layout(c))); },
          call_fft<Of, T>, [](const Case& c) { return transformed<Of>(c).y; }, &Case::x, std::move(claims)},
      question, may_refuse<Case>(kernel, [](const Case& c) { return !c.x.empty() && all_finite(c.x); }));
}

}  // namespace assay::contracts::fft
