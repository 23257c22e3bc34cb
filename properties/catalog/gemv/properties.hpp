#pragma once
// The promises of both forms of the multiple-precision GEMV.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/gemv_theorems.hpp"
#include "kernels/mp/mp.hpp"
#include "properties/catalog/gemv/cases.hpp"
#include "properties/catalog/mp/result.hpp"
#include "properties/framework/property.hpp"

namespace assay::gemv {

/// The operands of a case as arrays; alpha and beta hold one number.
struct MpGemvArrays {
  mp::MpArray alpha, a, x, beta, y;
};

/// The purpose of the cases for n moduli.
inline MpFormat mp_format(int n) {
  const oracle::ResidueSystem& base = mp::mp_system(n).base;
  oracle::Dyadic maximal = 1;
  for (int i = 0; i + 1 < n / 2; ++i) maximal *= oracle::Dyadic(base.moduli()[static_cast<std::size_t>(i)]);
  MpFormat format{n, static_cast<int>(base.product().exponent() / 2), base.product(), {}};
  format.maximal = oracle::limbs_of(maximal - oracle::Dyadic(1), format.limbs());
  return format;
}

/// The numbers of an array of a case. Poison is out of range, with every other byte 0xFF: every operation that reads it
/// keeps it out of range.
inline mp::MpArray mp_array_of(const std::vector<double>& array, const MpFormat& format, bool planes) {
  const std::size_t words = format.words();
  const std::size_t limbs = format.limbs();
  const std::size_t length = array.size() / words;
  std::vector<std::uint32_t> significands;
  std::vector<std::int64_t> exponents;
  std::vector<std::int32_t> signs;
  for (std::size_t k = 0; k < length; ++k) {
    const auto number = std::span(array).subspan(k * words, words);
    const bool poison = detail::is_poison(number);
    for (const double limb : number.first(limbs)) {
      significands.push_back(poison ? 0 : static_cast<std::uint32_t>(std::abs(limb)));
    }
    exponents.push_back(poison ? 0 : static_cast<std::int64_t>(number.back()));
    signs.push_back(std::any_of(number.begin(), number.end() - 1, [](double limb) { return limb < 0; }) ? 1 : 0);
  }
  mp::MpArray elements = mp::mp_from_limbs(Executor::host(), format.moduli,
                                           {limbs, std::move(significands), std::move(exponents), std::move(signs)});
  const std::size_t size = static_cast<std::size_t>(format.moduli) + 1;
  for (std::size_t k = 0; k < length; ++k) {
    if (!detail::is_poison(std::span(array).subspan(k * words, words))) continue;
    std::fill_n(elements.digits.begin() + static_cast<std::ptrdiff_t>(k * size), size, ~std::uint32_t{0});
    elements.sign[k] = -1;
    elements.exponent[k] = mp::out_of_range_exponent;
    elements.lower[k] = elements.upper[k] = Extended{number_of<double>(~std::uint64_t{0}), -1};
  }
  return mp::with_layout(elements, planes);
}

/// The operands of a case. Whether they lie in modulus planes depends on lda; for y, on incy: so all layouts occur.
inline MpGemvArrays mp_gemv_arrays(const MpGemvCase& c, const MpFormat& format) {
  const bool planes = c.lda % 2 == 0;
  return {mp_array_of(c.alpha, format, false), mp_array_of(c.a, format, planes), mp_array_of(c.x, format, planes),
          mp_array_of(c.beta, format, false), mp_array_of(c.y, format, c.incy < 0)};
}

namespace detail {

/// judge(ŷ, y, place) in every written entry.
template <class F>
Judgement judge_mp_values(const MpGemvProblem& p, const std::vector<oracle::Dyadic>& truth, const mp::MpNumbers& result,
                          F&& judge) {
  Judgement worst;
  oracle::Dyadic got;
  expansion::for_each_written(p.blas, [&](std::int64_t, std::int64_t, std::size_t place) {
    worst.worsen(component_value(result, place, got) ? judge(got, truth[place], place) : Judgement::fail(place));
  });
  return worst;
}

/// |ŷ − y| against bound(weights) in every written entry.
template <class F>
Judgement judge_mp_entries(const MpGemvProblem& p, const std::vector<oracle::Dyadic>& truth,
                           const mp::MpNumbers& result, F&& bound) {
  Judgement worst;
  oracle::Dyadic got;
  for_each_weight(p, [&](std::size_t place, const MpGemvWeights& weights) {
    worst.worsen(component_value(result, place, got) ? judge_within(got, truth[place], bound(weights), place)
                                                     : Judgement::fail(place));
  });
  return worst;
}

/// ‖ŷ − y‖ against its bound.
inline Judgement judge_mp_norm(const MpGemvProblem& p, const std::vector<oracle::Dyadic>& truth,
                               const mp::MpNumbers& result, const RelativeBound& unit) {
  std::vector<MpGemvWeights> entries;
  oracle::Dyadic error;
  oracle::Dyadic got;
  bool finite = true;
  for_each_weight(p, [&](std::size_t place, const MpGemvWeights& weights) {
    entries.push_back(weights);
    finite = finite && component_value(result, place, got);
    if (finite) error += abs(got - truth[place]);
  });
  if (!finite) return Judgement::fail();
  return judge_within(error, oracle::Dyadic(), gemv_published_2(p.shape().terms, unit, entries));
}

/// keeps(place) for every written entry.
template <class F>
Judgement judge_written(const MpGemvProblem& p, F&& keeps) {
  Judgement worst;
  expansion::for_each_written(p.blas,
                              [&](std::int64_t, std::int64_t, std::size_t place) { worst.worsen(keeps(place)); });
  return worst;
}

/// Digits, enclosure, width and significand of a rounded number.
inline Judgement judge_rounded_number(const mp::MpNumbers& result, std::size_t k) {
  Judgement worst = mp::judge_digits(result, k);
  for (const auto judge : {mp::judge_enclosure, mp::judge_width, mp::judge_significand}) worst.worsen(judge(result, k));
  return {worst.verdict, worst.verdict == Verdict::holds ? 0 : worst.tightness, k};
}

/// Number k of v has the words of number l of w; all NaNs count as equal.
inline bool same_number(const mp::MpNumbers& v, std::size_t k, const mp::MpNumbers& w, std::size_t l) {
  const std::size_t words = ResultTraits<mp::MpNumbers>::per_component(v);
  for (std::size_t i = 0; i < words; ++i) {
    const double a = ResultTraits<mp::MpNumbers>::word(v, k * words + i);
    const double b = ResultTraits<mp::MpNumbers>::word(w, l * words + i);
    if (to_bits(a) != to_bits(b) && !(is_nan(a) && is_nan(b))) return false;
  }
  return true;
}

/// Every number that is not written is unchanged.
inline Judgement judge_mp_untouched(const MpGemvProblem& p, const mp::MpNumbers& before, const mp::MpNumbers& after) {
  std::vector<bool> written(p.blas.c.size() / p.blas.words);
  expansion::for_each_written(p.blas, [&](std::int64_t, std::int64_t, std::size_t place) { written[place] = true; });
  Judgement worst;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (!written[i] && !same_number(before, i, after, i)) worst.worsen(Judgement::fail(i));
  }
  return worst;
}

inline bool has_poison(std::span<const double> array) { return is_poison(array); }

}  // namespace detail

using MpGemvProperty = Property<MpGemvCase, mp::MpNumbers>;

/// The name of a number of moduli, in the form that an overview recognizes.
inline std::string moduli_text(int n) { return std::to_string(n) + " moduli"; }

/// The componentwise bound of the decomposed form.
inline auto within_tree_bound(int n) {
  return of_instance(
      moduli_text(n),
      claim_spec("error", gemv_decomposed_1,
                 [format = mp_format(n), unit = mp_gemv_unit(mp::mp_system(n).base.product())](
                     const MpGemvCase& c, const std::vector<oracle::Dyadic>& truth, const mp::MpNumbers& result) {
                   const MpGemvProblem p(c, format);
                   return detail::judge_mp_entries(p, truth, result, [&](const MpGemvWeights& weights) {
                     return gemv_decomposed_1(p.shape(), unit, weights);
                   });
                 }));
}

/// A claim about each entry of the exact-accumulating form: judge(P, ŷ, y, place).
template <class Judge>
auto claim_of_one_rounding(const char* id, int n, Judge judge) {
  return of_instance(
      moduli_text(n),
      claim_spec(id, gemv_exact_1,
                 [format = mp_format(n), judge](const MpGemvCase& c, const std::vector<oracle::Dyadic>& truth,
                                                const mp::MpNumbers& result) {
                   return detail::judge_mp_values(MpGemvProblem(c, format), truth, result,
                                                  [&](const auto& got, const auto& exact, auto place) {
                                                    return judge(format.bits, got, exact, place);
                                                  });
                 }));
}

/// The bound of one rounding.
inline auto within_one_rounding(int n) {
  return claim_of_one_rounding("error", n, [](int bits, const auto& got, const auto& exact, std::size_t place) {
    return judge_within(got, exact, gemv_exact_1(bits, exact), place);
  });
}

/// The number that one rounding gives, including ties.
inline auto rounded_once(int n) {
  return claim_of_one_rounding("rounded_once", n, [](int bits, const auto& got, const auto& exact, std::size_t place) {
    return judge_exact(got, rounded_to_bits(bits, exact), place);
  });
}

/// Cases of the quick tier over n moduli: few if a case takes long, but enough to include rows of 4096 terms.
inline std::uint64_t quick_cases(int n) { return n <= 32 ? 1000 : 250; }

/// A form of the GEMV over n moduli: run(executor, case, operands) returns the array of y afterwards, and `error` is
/// the form's own bound.
template <class Run, class Error>
MpGemvProperty mp_gemv_property(const std::string& name, int n, Run run, const Error& error) {
  const MpFormat format = mp_format(n);
  const RelativeBound published = mp::mp_system(n).published_unit;
  const auto problem = [format](const MpGemvCase& c) { return MpGemvProblem(c, format); };
  return {.name = name + std::to_string(n),
          .domain = mp_gemv_domain(format),
          .subject =
              [run, format](const Executor& on, const MpGemvCase& c) {
                return mp::MpNumbers{&mp::mp_system(format.moduli),
                                     mp::with_layout(run(on, c, mp_gemv_arrays(c, format)), false)};
              },
          .reference = [problem](const MpGemvCase& c) { return exact_result(problem(c)); },
          .claims = {error,
                     claim_spec("published", gemv_published_1,
                                [problem, published](const MpGemvCase& c, const std::vector<oracle::Dyadic>& truth,
                                                     const mp::MpNumbers& result) {
                                  const MpGemvProblem p = problem(c);
                                  return detail::judge_mp_entries(p, truth, result, [&](const MpGemvWeights& weights) {
                                    return gemv_published_1(p.shape().terms, published, weights);
                                  });
                                }),
                     claim_spec("published_norm", gemv_published_2,
                                [problem, published](const MpGemvCase& c, const std::vector<oracle::Dyadic>& truth,
                                                     const mp::MpNumbers& result) {
                                  return detail::judge_mp_norm(problem(c), truth, result, published);
                                }),
                     satisfies("rounded", gemv_structure_4,
                               [problem](const MpGemvCase& c, const mp::MpNumbers& result) {
                                 return detail::judge_written(problem(c), [&](std::size_t place) {
                                   return detail::judge_rounded_number(result, place);
                                 });
                               }),
                     satisfies("untouched", gemv_structure_1,
                               [problem, format](const MpGemvCase& c, const mp::MpNumbers& result) {
                                 return detail::judge_mp_untouched(
                                     problem(c), {&mp::mp_system(format.moduli), mp_array_of(c.y, format, false)},
                                     result);
                               }),
                     when(
                         "β = 0, y is poison, and entries are written",
                         [problem](const MpGemvCase& c) {
                           const MpGemvProblem p = problem(c);
                           return !p.blas.returns_at_once && !p.adds_start && detail::has_poison(c.y);
                         },
                         satisfies("start_not_read", gemv_structure_2,
                                   [problem](const MpGemvCase& c, const mp::MpNumbers& result) {
                                     return detail::judge_written(problem(c), [&](std::size_t place) {
                                       return detail::judge_rounded_number(result, place);
                                     });
                                   })),
                     when(
                         "α = 0, A or x is poison, and entries are written",
                         [problem](const MpGemvCase& c) {
                           const MpGemvProblem p = problem(c);
                           return !p.blas.returns_at_once && !p.adds_product &&
                                  (detail::has_poison(c.a) || detail::has_poison(c.x));
                         },
                         satisfies("factors_not_read", gemv_structure_3,
                                   [problem](const MpGemvCase& c, const mp::MpNumbers& result) {
                                     return detail::judge_written(problem(c), [&](std::size_t place) {
                                       return detail::judge_rounded_number(result, place);
                                     });
                                   }))},
          .inexact =
              [problem](const MpGemvCase& c, const std::vector<oracle::Dyadic>& truth, const mp::MpNumbers& result) {
                bool found = false;
                oracle::Dyadic got;
                expansion::for_each_written(problem(c).blas, [&](std::int64_t, std::int64_t, std::size_t place) {
                  found = found || !component_value(result, place, got) || got != truth[place];
                });
                return found;
              },
          .quick_cases = quick_cases(n)};
}

}  // namespace assay::gemv
