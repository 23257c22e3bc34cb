// Discrete Fourier transforms of complex numbers, as a foreign function computes them.

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
namespace {

// ------------------------------------------------------------------------------------------------------- claims

/// The bound of the theorem for n and the precision of T; nothing where a hypothesis on n fails.
template <FloatingPoint T>
std::optional<RelativeBound> bound_for(const auto& theorem, std::uint64_t n) {
  try {
    return theorem(n, FloatTraits<T>::precision);
  } catch (const std::domain_error&) {
    return std::nullopt;
  }
}

/// Σ|ŷₖ − yₖ|², and the part with the largest error.
struct NormError {
  Dyadic square;
  std::size_t largest = 0;
};
NormError norm_error_of(const std::vector<Dyadic>& got, const std::vector<Dyadic>& truth) {
  NormError error;
  Dyadic largest;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const Dyadic difference = got[i] - truth[i];
    error.square.add_mul(difference, difference);
    if (compare_abs(difference, largest) > 0) {
      largest = difference;
      error.largest = i;
    }
  }
  return error;
}

/// ‖ŷ − y‖ ≤ bound·‖y‖. How far the truth is off is added to the bound.
template <FloatingPoint T>
Judgement judge_norm(const FftCase<T>& c, const std::vector<Dyadic>& truth, const std::vector<T>& result,
                     const RelativeBound& bound) {
  std::vector<Dyadic> got;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (!oracle::is_finite(format<T>, bits_of(result[i]))) return Judgement::fail(i);
    got.push_back(value_of(result[i]));
  }
  const NormError error = norm_error_of(got, truth);
  const Dyadic off = Dyadic(result.size()) * transformed(c).radius;
  const Dyadic most = bound.numerator * facts_of(c).norm + bound.denominator * off;
  Judgement judgement = judge_within(Dyadic(), oracle::Exact(oracle::square_root(error.square)),
                                     Bound{most, bound.denominator}, error.largest);
  judgement.judged = result.size();
  return judgement;
}

/// |part of ŷₖ − part of yₖ| ≤ bound·Σ|xⱼ| for both parts of every k. How far the truth is off is added to the bound.
template <FloatingPoint T>
Judgement judge_each(const FftCase<T>& c, const std::vector<Dyadic>& truth, const std::vector<T>& result,
                     const RelativeBound& relative) {
  const Bound bound{relative.numerator * facts_of(c).sum + relative.denominator * transformed(c).radius,
                    relative.denominator};
  Judgement worst;
  for (std::size_t i = 0; i < result.size() && !are_enough(worst.violations()); ++i) {
    worst.worsen(oracle::is_finite(format<T>, bits_of(result[i]))
                     ? judge_within(value_of(result[i]), truth[i], bound, i)
                     : Judgement::fail(i));
  }
  worst.judged = result.size();
  return worst;
}

template <FloatingPoint T>
std::string in_words(const std::string& lengths) {
  return lengths + ", and ‖x‖ from 2^" + std::to_string(lowest_norm<T>) + " to 2^" + std::to_string(largest_norm<T>);
}

/// The bound of the theorem, judged by `judge`, for cases of which it speaks.
template <FloatingPoint T>
auto error_of_fft(const char* id, const AnyTheorem auto& theorem, const char* lengths,
                  Judgement (*judge)(const FftCase<T>&, const std::vector<Dyadic>&, const std::vector<T>&,
                                     const RelativeBound&)) {
  return when(
      in_words<T>(lengths),
      [theorem](const FftCase<T>& c) {
        return points_of(c) != 0 && facts_of(c).is_in_range && bound_for<T>(theorem, points_of(c)).has_value();
      },
      claim_spec(id, theorem,
                 [theorem, judge](const FftCase<T>& c, const std::vector<Dyadic>& truth, const std::vector<T>& result) {
                   return judge(c, truth, result, *bound_for<T>(theorem, points_of(c)));
                 }));
}

/// Whether every sum of the numbers is exact where they are added without products, or x₀ alone is not 0.
template <FloatingPoint T>
bool is_exact_case(const FftCase<T>& c) {
  const std::uint64_t n = points_of(c);
  if (!all_finite(c.x) || !std::has_single_bit(n)) return false;
  std::vector<Dyadic> x;
  for (const T& each : c.x) x.push_back(value_of(each));
  if (is_first_alone(x)) return true;
  if (n > 4) return false;
  Dyadic sum;
  std::optional<long> grid;
  for (const Dyadic& each : x) {
    sum += abs(each);
    if (!each.is_zero()) grid = std::min(grid.value_or(each.lowest_exponent()), each.lowest_exponent());
  }
  return sum <= Dyadic::scaled(1, FloatTraits<T>::emax) && sum <= Dyadic::scaled(1, *grid + FloatTraits<T>::precision);
}

template <FloatingPoint T>
bool is_real(const FftCase<T>& c) {
  for (std::size_t i = 1; i < c.x.size(); i += 2) {
    if (c.x[i] != T{}) return false;
  }
  return !c.x.empty() && all_finite(c.x);
}

/// ŷₙ₋ₖ is the conjugate of ŷₖ, and so ŷ₀ is real. Zeros of both signs are equal.
template <FloatingPoint T>
Judgement is_symmetric(const FftCase<T>& c, const std::vector<T>& result) {
  const std::size_t n = points_of(c);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t mirror = (n - k) % n;
    if (result[2 * k] != result[2 * mirror]) return Judgement::fail(2 * k);
    if (result[2 * k + 1] != -result[2 * mirror + 1]) return Judgement::fail(2 * k + 1);
  }
  return Judgement::pass();
}

/// Every complex number of the result has a part that is no finite number.
template <FloatingPoint T>
Judgement is_spoilt(const FftCase<T>&, const std::vector<T>& result) {
  for (std::size_t i = 0; i < result.size(); i += 2) {
    const auto is_number = [&](std::size_t at) { return oracle::is_finite(format<T>, bits_of(result[at])); };
    if (is_number(i) && is_number(i + 1)) return Judgement::fail(i);
  }
  return Judgement::pass();
}

constexpr const char* powers = "n is a power of two";
constexpr const char* any = "n ≥ 1";

/// The claims in the order of the contracts.
template <FloatingPoint T>
std::vector<Claim<FftCase<T>, std::vector<T>, std::vector<Dyadic>>> fft_claims() {
  return {error_of_fft<T>("power_of_two", fft_power_of_two_1, powers, judge_norm<T>),
          error_of_fft<T>("power_of_two_computed", fft_power_of_two_2, powers, judge_norm<T>),
          error_of_fft<T>("mixed_radix", fft_mixed_radix_1, any, judge_norm<T>),
          error_of_fft<T>("any_length", fft_any_length_1, any, judge_norm<T>),
          error_of_fft<T>("each_power_of_two", fft_each_1, powers, judge_each<T>),
          error_of_fft<T>("each_power_of_two_computed", fft_each_2, powers, judge_each<T>),
          error_of_fft<T>("each_mixed_radix", fft_each_3, any, judge_each<T>),
          error_of_fft<T>("direct", fft_direct_1, any, judge_each<T>),
          when("n = 1, 2 or 4 and no sum is rounded, or n is a power of two and x₀ alone is not 0", is_exact_case<T>,
               exact("exact", fft_exact_1)),
          when("the imaginary parts are 0", is_real<T>, satisfies("symmetric", fft_symmetric_1, is_symmetric<T>)),
          when(
              "a NaN or an infinity is among the numbers", [](const FftCase<T>& c) { return !all_finite(c.x); },
              satisfies("exceptional", fft_exceptional_1, is_spoilt<T>))};
}

template <FloatingPoint T>
void call_fft(const ForeignKernel& kernel, const Executor& on, const FftCase<T>& c, T* y) {
  thread_local FencedMemory memory;
  const FencedArray<T> x(memory, c.x);
  function<void(std::size_t, const T*, T*)>(kernel)(points_of(c), x.data(), y);
  check_input(x, on, c.x, "x");
}

constexpr auto fft_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return property_of(ArrayOperation<T, FftCase<T>>{"fft", fft_domain<T>(),
                                                   [](const FftCase<T>& c) { return unwritten<T>(c.x.size()); },
                                                   call_fft<T>, transform_of<T>, &FftCase<T>::x, fft_claims<T>()},
                     question, may_refuse<FftCase<T>>(kernel, [](const FftCase<T>& c) {
                       return points_of(c) != 0 && all_finite(c.x);
                     }));
};

const OperationRegistration fft(
    {"fft",
     "yₖ = Σⱼ xⱼ·exp(−2πijk/n) of n complex numbers, each a real and an imaginary part",
     {"f64", "f32"},
     {{CallForm::plain, "void f(size_t n, const T* x, T* y)"}},
     leaving_out({{"power_of_two", &fft_power_of_two_1.words, {}, {"power_of_two_computed"}},
                  {"power_of_two_computed", &fft_power_of_two_2.words},
                  {"mixed_radix", &fft_mixed_radix_1.words, {}, {"power_of_two_computed"}},
                  {"any_length", &fft_any_length_1.words},
                  {"each_power_of_two", &fft_each_1.words, {}, {"each_power_of_two_computed"}},
                  {"each_power_of_two_computed", &fft_each_2.words},
                  {"each_mixed_radix", &fft_each_3.words, {}, {"each_power_of_two_computed"}},
                  {"direct", &fft_direct_1.words},
                  {"exact", &fft_exact_1.words},
                  {"symmetric", &fft_symmetric_1.words, {}, {}, false},
                  {"exceptional", &fft_exceptional_1.words, {}, {}, false}},
                 {"symmetric"}),
     property_in_format<fft_of>});

}  // namespace
}  // namespace assay::contracts::fft
