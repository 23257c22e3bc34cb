#pragma once
// Operations that add: the facts of their terms, the formats in which kernels add them, and claims about the error that
// demand the exact result of data on a grid, and say nothing where their bound is empty (docs/bounds/contract.md).

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/fraction.hpp"
#include "properties/contracts/left_out.hpp"
#include "properties/contracts/stored.hpp"
#include "properties/draws/sum/long_sums.hpp"
#include "properties/framework/number_parts.hpp"
#include "properties/framework/shared_function.hpp"
#include "properties/framework/silent.hpp"

namespace assay::contracts {

/// Where a kernel computes: in the format of its numbers, every step rounded to it, or in a wider one with one rounding
/// at the end.
struct Accumulator {
  const char* prefix;  ///< of the contracts' ids
  oracle::Format format;
  bool rounds_once;
};

/// So many bits has a wider format more than that of the numbers, at least: the numbers of 80 bits of x87 for binary64.
inline constexpr int guard_bits = 11;

template <FloatingPoint T>
inline constexpr Accumulator own_format{"", format<T>, false};
/// Binary32 for numbers of 16 bits; else a format with `guard_bits` more and the same exponents. It has no patterns.
template <FloatingPoint T>
inline constexpr Accumulator wider_format{
    is_narrow<T> ? "f32_" : "wide_",
    is_narrow<T> ? oracle::binary32 : oracle::Format{format<T>.precision + guard_bits, format<T>.emin, format<T>.emax},
    true};

/// Whether the accumulator is the one of the format itself, or the only wider one that kernels for narrow numbers have:
/// not the one of the contracts wide_….
template <FloatingPoint T>
bool is_usual(const Accumulator& in) {
  return is_narrow<T> || !in.rounds_once;
}

/// No least exponent: there is no term but 0.
inline constexpr long no_grid = std::numeric_limits<long>::max();

/// What is added up to one number of a result.
struct Terms {
  std::uint64_t n = 0;
  oracle::Dyadic sum;         ///< r
  oracle::Dyadic magnitudes;  ///< S
  oracle::Dyadic products;    ///< the part of S whose terms are products
  oracle::Dyadic lost;        ///< the part of S whose terms have a subnormal factor or are subnormal
  long grid = no_grid;        ///< every term is a multiple of 2^grid
  long least = no_grid;       ///< the least exponent of a factor
  int emin = 0;               ///< of the format of the terms
  std::uint64_t whole = 0;    ///< how many terms the last number of the result has, where numbers have more and more

  template <FloatingPoint T>
  void add(const T& x) {
    add_term(value_of(x), {facts_of(x)}, FloatTraits<T>::emin);
  }
  template <FloatingPoint T>
  void add(const T& x, const T& y) {
    add_term(value_of(x) * value_of(y), {facts_of(x), facts_of(y)}, FloatTraits<T>::emin);
  }

  /// What a kernel loses that adds in the format and reads its subnormal numbers as 0.
  [[nodiscard]] oracle::Dyadic lost_in(const oracle::Format& in) const {
    return in.emin == emin ? lost : oracle::Dyadic();
  }
  /// Whether no addition rounds or is flushed in the format, whatever their order: contract.exact_grid.1.
  [[nodiscard]] bool is_exact_in(const oracle::Format& in) const {
    if (grid == no_grid) return true;
    return grid >= in.emin && least >= in.emin && magnitudes <= oracle::Dyadic::scaled(1, grid + in.precision);
  }

 private:
  struct Factor {
    bool is_zero;
    long lowest;   ///< exponent of the last bit
    long leading;  ///< exponent of the first bit
  };
  template <FloatingPoint T>
  static Factor facts_of(const T& x) {
    const auto parts = assay::parts_of(format<T>, bits_of(x));
    return parts ? Factor{false, parts->exponent, parts->leading()} : Factor{true, 0, 0};
  }
  void add_term(const oracle::Dyadic& term, std::initializer_list<Factor> factors, int lowest_normal) {
    ++n;
    emin = lowest_normal;
    const bool is_zero = std::ranges::any_of(factors, &Factor::is_zero);
    if (is_zero) return;
    const oracle::Dyadic magnitude = abs(term);
    sum += term;
    magnitudes += magnitude;
    if (factors.size() == 2) products += magnitude;
    long lowest = 0;
    bool is_subnormal = false;
    for (const Factor& each : factors) {
      lowest += each.lowest;
      least = std::min(least, each.leading);
      is_subnormal = is_subnormal || each.leading < lowest_normal;
    }
    grid = std::min(grid, lowest);
    if (is_subnormal) lost += magnitude;
  }
};

/// The terms xᵢ, or xᵢyᵢ where y is given, of a sum of many. Requires: finite numbers (not checked).
template <FloatingPoint T>
Terms long_terms(const std::vector<T>& x, const std::vector<T>* y = nullptr) {
  struct Part {
    const std::vector<T>* x;
    const std::vector<T>* y;
    oracle::LongSum sum = {};
    Terms facts = {};
    void add(std::size_t i) {
      const auto a = parts_of(format<T>, bits_of((*x)[i]));
      const auto b = y == nullptr ? a : parts_of(format<T>, bits_of((*y)[i]));
      if (!a || !b) return;
      const long leading = std::min(a->leading(), b->leading());
      facts.least = std::min(facts.least, leading);
      facts.grid = std::min(facts.grid, y == nullptr ? a->exponent : a->exponent + b->exponent);
      if (leading < FloatTraits<T>::emin)
        facts.lost += abs(value_of((*x)[i]) * (y == nullptr ? oracle::Dyadic(1) : value_of((*y)[i])));
      if (y == nullptr) {
        sum::add_to(sum, *a);
      } else {
        sum::add_to(sum, *a, *b);
      }
    }
  };
  Terms terms;
  oracle::LongSum all;
  for (const Part& each : sum::in_parts(x.size(), Part{&x, y})) {
    all.add(each.sum);
    terms.least = std::min(terms.least, each.facts.least);
    terms.grid = std::min(terms.grid, each.facts.grid);
    terms.lost += each.facts.lost;
  }
  terms.n = x.size();
  terms.sum = all.sum();
  terms.magnitudes = all.magnitudes();
  if (y != nullptr) terms.products = terms.magnitudes;
  terms.emin = FloatTraits<T>::emin;
  return terms;
}

/// A bound at or above the sum of the magnitudes: the result 0 keeps it.
inline bool is_empty(const Bound& bound, const Terms& terms) {
  return !terms.magnitudes.is_zero() && Bound{terms.magnitudes} <= bound;
}

/// The same in words.
inline std::string empty_bound(const Terms& terms, const oracle::Format& in) {
  return "the bound is below the sum of the terms' magnitudes, which the result 0 keeps, too: n = " +
         std::to_string(terms.n) + ", u = 2^-" + std::to_string(in.precision);
}

/// The smaller of two bounds.
inline Bound smaller(const Bound& a, const Bound& b) { return a <= b ? a : b; }

/// |got − truth| ≤ bound, of what is computed in the accumulator.
template <FloatingPoint T>
Judgement judge_in(const Accumulator& in, std::uint64_t got, const auto& truth, const Bound& bound, std::size_t at) {
  if (in.rounds_once) return judge_stored(got, truth, bound, format<T>, at);
  if (!oracle::is_finite(format<T>, got)) return Judgement::fail(at);
  return judge_within(oracle::decode_finite(format<T>, got), truth, bound, at);
}

/// The terms of number i of a result.
inline const Terms& terms_at(const Terms& terms, std::size_t) { return terms; }
inline const Terms& terms_at(const std::vector<Terms>& terms, std::size_t i) { return terms[i]; }

/// judge(got, exact, terms, i) for each number of the result that it does not pass over: judge gives says_nothing()
/// there, and so does this where it passes over all.
template <class Result>
Judgement judge_sums(const auto& truth, const auto& terms, const Result& result, const auto& judge) {
  using Traits = ResultTraits<Result>;
  Judgement worst;
  const std::size_t count = Traits::components(result);
  std::size_t judged = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Judgement each =
        judge(bits_of(Traits::word(result, i)), assay::detail::truth_at(truth, i), terms_at(terms, i), i);
    if (is_silent(each)) continue;
    ++judged;
    worst.worsen(each);
  }
  if (judged == 0 && count != 0) return says_nothing();
  worst.judged = judged;
  return worst;
}

/// What the contracts of a wider format say of the bound of a theorem.
inline std::string wide_instance(const TheoremWords& theorem, const std::string& instance) {
  return std::string("B for p + 11 bits as ") + theorem.id.text + " has it" + (instance.empty() ? "" : ", " + instance);
}
/// What a contract about the error of sums adds to the instance of its theorem.
inline std::string and_on_grids(const std::string& instance) {
  return (instance.empty() ? "" : instance + "; ") + "r on a grid";
}

/// The claim of the theorem, or of the theorem about one rounding at the end, of what is computed in the accumulator.
template <FloatingPoint T, class Judge>
ClaimSpec<Judge> claim_in(const Accumulator& in, const std::string& id, const TheoremWords& theorem, Judge judge,
                          const std::string& instance) {
  if (!in.rounds_once) {
    ClaimSpec<Judge> claim{claim_info(id, theorem), std::move(judge)};
    return instance.empty() ? claim : of_instance(instance, std::move(claim));
  }
  if constexpr (is_narrow<T>) {
    return of_instance(stored_instance(theorem, instance),
                       claim_spec(in.prefix + id, contract_stored_1, std::move(judge)));
  } else {
    return of_instance(wide_instance(theorem, instance), claim_spec(in.prefix + id, contract_wide_1, std::move(judge)));
  }
}

/// Every number of the result whose terms are on a grid is exact, or rounded once from what is exact. terms_of(case):
/// the Terms of each number.
template <FloatingPoint T, class TermsOf>
auto exact_on_grids(const Accumulator& in, TermsOf terms_of) {
  return claim_in<T>(in, "exact_grid", contract_exact_grid_1.words,
                     [=](const auto& c, const auto& truth, const auto& result) {
                       return judge_sums(truth, terms_of(c), result,
                                         [&](std::uint64_t got, const auto& exact, const Terms& terms, std::size_t i) {
                                           return terms.is_exact_in(in.format) ? judge_in<T>(in, got, exact, Bound{}, i)
                                                                               : says_nothing();
                                         });
                     },
                     {});
}

/// Judges the error of sums: the exact result on a grid, elsewhere the bound of the terms, and nothing where that is
/// empty or throws std::domain_error. The type of the bound is erased: the judge is compiled once for all theorems.
template <FloatingPoint T, class TermsOf>
auto judge_adding(const Accumulator& in, TermsOf terms_of, const SharedFunction<Bound(const Terms&)>& bound_of) {
  return [=](const auto& c, const auto& truth, const auto& result) {
    return judge_sums(
        truth, terms_of(c), result, [&](std::uint64_t got, const auto& exact, const Terms& terms, std::size_t i) {
          if (terms.is_exact_in(in.format)) return judge_in<T>(in, got, exact, Bound{}, i);
          Bound bound;
          try {
            bound = bound_of(terms);
          } catch (const std::domain_error& error) {
            return says_nothing(error.what());
          }
          const Judgement judgement = judge_in<T>(in, got, exact, bound, i);
          const bool is_kept = judgement.verdict == Verdict::holds;
          return is_kept && is_empty(bound, terms) ? says_nothing(empty_bound(terms, in.format)) : judgement;
        });
  };
}

/// The claim about the error of sums that judge_adding() decides, with the bound that bound_of(theorem, terms) gives.
template <FloatingPoint T, class TermsOf, BoundedTheorem Theorem, class BoundOf>
auto adds_within(const Accumulator& in, const std::string& id, const Theorem& theorem, TermsOf terms_of,
                 BoundOf bound_of, const std::string& instance = {}) {
  return claim_in<T>(
      in, id, theorem.words,
      judge_adding<T>(in, terms_of, [=](const Terms& terms) -> Bound { return bound_of(theorem, terms); }),
      and_on_grids(instance));
}

/// The height of the tallest tree over n terms: they are added one after the other.
inline std::uint64_t greatest_height_of(std::uint64_t n) { return n == 0 ? 0 : n - 1; }

/// Bounds of dot products in the format by dot.tree.1, for trees of height height_of(n), and by contract.flushed.3.
inline auto dot_in_trees(const oracle::Format& of, std::uint64_t (*height_of)(std::uint64_t n)) {
  return [of, height_of](const auto& bound, const Terms& terms) {
    return bound(terms.n, height_of(terms.n), terms.magnitudes, of);
  };
}
inline auto dot_flushed(const oracle::Format& of) {
  return [of](const auto& bound, const Terms& terms) {
    return bound(terms.n, greatest_height_of(terms.n), terms.magnitudes, terms.lost_in(of), of);
  };
}

/// The contracts of an operation that adds: those of rounding; twins of the bounds for a wider format, f32_… of narrow
/// numbers and wide_… of others for the bounds `in_wide`; the bounds; those of kernels that flush to zero, which the
/// bounds imply as they say; exact_grid, which all of them imply; the others. Without narrow formats there is no f32_….
/// f32_exact_grid is no rung: kernels that add in binary32 so badly that a result of 16 bits shows it are not exact on
/// grids of 24 bits either.
inline std::vector<Contract> with_rungs(std::vector<Contract> rounding, std::vector<Contract> bounds,
                                        std::vector<Contract> flushed, const std::vector<std::string>& in_wide,
                                        const std::vector<Contract>& others, bool has_narrow = true) {
  const auto is_wide = [&](const std::string& id) { return std::ranges::find(in_wide, id) != in_wide.end(); };
  const auto wide_id = [](const std::string& id) { return "wide_" + id; };
  std::vector<Contract> wide;
  for (std::vector<Contract>* const all : {&bounds, &flushed}) {
    for (Contract& each : *all) {
      each.instance = and_on_grids(each.instance);
      each.implies.emplace_back("exact_grid");
      if (!is_wide(each.id)) continue;
      Contract twin{wide_id(each.id), &contract_wide_1.words, wide_instance(*each.theorem, each.instance),
                    {"exact_grid"},   each.is_about_error,    wide_formats()};
      for (const std::string& id : each.implies) {
        if (is_wide(id)) twin.implies.push_back(wide_id(id));
      }
      wide.push_back(std::move(twin));
    }
  }
  for (Contract& each : rounding) {
    if (each.id == "faithful") each.implies.emplace_back("exact_grid");
    if (each.id != "correctly_rounded") continue;
    std::vector<std::string> twins;
    for (const std::string& id : each.implies) {
      if (is_wide(id)) twins.push_back(wide_id(id));
    }
    each.implies.insert(each.implies.end(), twins.begin(), twins.end());
    each.implies.emplace_back("exact_grid");
  }
  rounding.insert(rounding.end(), wide.begin(), wide.end());
  bounds.insert(bounds.end(), flushed.begin(), flushed.end());
  bounds.push_back({"exact_grid", &contract_exact_grid_1.words});
  if (has_narrow) return leaving_out(with_stored(std::move(rounding), bounds, others), {"f32_exact_grid"});
  std::vector<Contract> all = std::move(rounding);
  all.insert(all.end(), bounds.begin(), bounds.end());
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

/// Appends claims_in(wider_format<T>) and claims_in(own_format<T>), the claims about the error of sums, for cases of
/// finite numbers: is_finite(case). Narrow numbers are added in their own format where fits(case) says that nothing
/// overflows there, and `fit` says so in words.
template <FloatingPoint T, class Claims>
void append_rungs(Claims& claims, const auto& claims_in, const auto& is_finite, const std::string& fit,
                  const auto& fits) {
  const auto append = [&](const Accumulator& in, const auto& applies, const std::string& preconditions) {
    for (auto& each : claims_in(in)) {
      each.info.preconditions = preconditions;
      each.applies = applies;
      claims.push_back(std::move(each));
    }
  };
  const std::string judged = "the numbers are finite, and the bound is not empty or the terms are on a grid";
  append(wider_format<T>, is_finite, judged);
  if constexpr (is_narrow<T>) {
    append(
        own_format<T>, [=](const auto& c) { return is_finite(c) && fits(c); }, judged + "; " + fit);
  } else {
    append(own_format<T>, is_finite, judged);
  }
}

/// The places of claims with these ids in the order of the operation's contracts.
std::vector<std::size_t> places_in_contracts(const std::vector<const std::string*>& ids, const std::string& operation);
/// The claims in the order of the operation's contracts of the same ids. Requires: every claim has one (not checked).
template <class Claims>
Claims in_order_of_contracts(Claims claims, const std::string& operation) {
  std::vector<const std::string*> ids;
  for (const auto& each : claims) ids.push_back(&each.info.id);
  Claims ordered;
  for (const std::size_t place : places_in_contracts(ids, operation)) ordered.push_back(std::move(claims[place]));
  return ordered;
}

}  // namespace assay::contracts
