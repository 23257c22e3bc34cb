// Sums, sums of magnitudes, norms and dot products of any length, judged from totals of their terms.

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "errorbounds/noted_bounds.hpp"
#include "properties/contracts/claims.hpp"
#include "properties/contracts/reduction_claims.hpp"
#include "properties/contracts/totalled.hpp"
#include "properties/framework/in_place.hpp"
#include "properties/framework/property.hpp"
#include "properties/framework/silent.hpp"

namespace assay::contracts::reductions {
namespace {

using oracle::Dyadic;
using oracle::Strided;
using oracle::TermTotals;

/// The totals of n terms x, or xy where y is given, added on all cores.
TermTotals totals_of(const oracle::Format& of, const Strided& x, const Strided* y, std::size_t n) {
  constexpr std::size_t fewest_of_core = std::size_t{1} << 19;
  const std::size_t cores =
      std::clamp<std::size_t>(n / fewest_of_core, 1, std::max(1U, std::thread::hardware_concurrency()));
  std::vector<TermTotals> parts(cores, TermTotals(of));
  const auto add = [&](std::size_t part) {
    const std::size_t first = n / cores * part;
    const Strided second = y == nullptr ? Strided{} : y->from(first);
    parts[part].add(x.from(first), y == nullptr ? nullptr : &second, part + 1 == cores ? n - first : n / cores);
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t part = 1; part < cores; ++part) others.emplace_back(add, part);
    add(0);
  }
  for (std::size_t part = 1; part < cores; ++part) parts[0].add(parts[part]);
  return std::move(parts[0]);
}

template <FloatingPoint T, class Truth>
using ClaimsOfTotals = std::vector<Claim<Totalled<T>, T, Truth>>;

/// The claims about one result: roundings, errors, infinities and NaNs.
template <FloatingPoint T, class Truth>
ClaimsOfTotals<T, Truth> claims_of_totals(ClaimsOfTotals<T, Truth> errors) {
  using Case = Totalled<T>;
  constexpr bool is_norm = !std::is_same_v<Truth, Dyadic>;
  ClaimsOfTotals<T, Truth> claims{nearest_with_any_zero("correctly_rounded", contract_correctly_rounded_1),
                                  faithful("faithful", contract_faithful_1)};
  for (auto& each : errors) claims.push_back(std::move(each));
  claims = of_finite_cases(std::move(claims), [](const Case& c) { return is_finite_case(c); });
  claims.push_back(when(
      "a NaN or an infinity is among the numbers, in a norm not both",
      [](const Case& c) { return !is_finite_case(c) && !(is_norm && c.has_both); },
      becomes<T>("exceptional", contract_exceptional_1, [](const Case& c) { return Due{c.special}; })));
  return claims;
}

/// What the contract says. `outside`: why the theorems do not speak of such terms; empty where they do.
template <FloatingPoint T, class Truth>
std::optional<ToldInPlace> told(const ClaimsOfTotals<T, Truth>& claims, std::string_view contract, const Totalled<T>& c,
                                const Truth& truth, const std::string& outside, T got) {
  const auto claim_of = [&](std::string_view id) {
    return std::ranges::find_if(claims, [id](const auto& each) { return each.info.id == id; });
  };
  auto claim = claim_of(contract);
  if (claim == claims.end()) return std::nullopt;
  if (!is_finite_case(c)) claim = claim_of("exceptional");
  ToldInPlace answer{.claim = claim->info.id, .preconditions = claim->info.preconditions};
  if (is_finite_case(c) && !outside.empty()) {
    answer.applies = false;
    answer.preconditions = outside;
    return answer;
  }
  answer.applies = !claim->applies || claim->applies(c);
  if (!answer.applies) return answer;
  NotedBounds noted(1);
  why_silent.clear();
  try {
    answer.judgement = claim->judge(c, truth, got);
  } catch (const std::domain_error& error) {  // a hypothesis of the bound about sizes
    why_silent = error.what();
    answer.judgement = says_nothing();
  }
  take_remark();
  if (is_silent(answer.judgement)) {
    answer.applies = false;
    answer.preconditions = why_silent.empty() ? breakable : why_silent;
    return answer;
  }
  if (is_finite_case(c)) {
    answer.exact = describe_at(truth, 0);
    answer.ulps = error_in_ulps_at(got, truth, 0);
    answer.bound = noted.all()[0];
  } else {
    const bool is_nan = oracle::is_nan(format<T>, c.special);
    answer.exact = is_nan ? "NaN" : oracle::is_negative(format<T>, c.special) ? "-inf" : "inf";
  }
  return answer;
}

enum class Kind { sum, asum, nrm2, dot };

template <Kind kind, FloatingPoint T>
std::optional<ToldInPlace> told_of(std::string_view contract, std::span<const Strided> vectors, std::size_t n,
                                   std::uint64_t bits) {
  constexpr bool is_norm = kind == Kind::nrm2;
  const Strided* const second = kind == Kind::dot ? &vectors[1] : is_norm ? &vectors[0] : nullptr;
  const Totalled<T> c = totalled<T>(totals_of(format<T>, vectors[0], second, n), second != nullptr, kind == Kind::asum);
  const T got = number_of<T>(bits);
  const int most = FloatTraits<Wide<T>>::emax - 2;
  const bool fits = c.terms.magnitudes <= Dyadic::scaled(1, is_norm ? 2 * most : most);
  const std::string outside = fits ? ""
                                   : std::string(is_norm ? "the norm is" : "the terms' magnitudes add up to") +
                                         " at most 2^" + std::to_string(most);
  if constexpr (is_norm) {
    const auto claims = claims_of_totals<T, oracle::Exact>(norm_claims<T, Totalled<T>>());
    return told<T, oracle::Exact>(claims, contract, c, oracle::square_root(c.terms.sum), outside, got);
  } else if constexpr (kind == Kind::dot) {
    return told<T, Dyadic>(claims_of_totals<T, Dyadic>(dot_claims<T, Totalled<T>>()), contract, c, c.terms.sum, outside,
                           got);
  } else {
    constexpr bool magnitudes = kind == Kind::asum;
    const auto claims = claims_of_totals<T, Dyadic>(sum_claims<T, magnitudes, Totalled<T>>());
    return told<T, Dyadic>(claims, contract, c, magnitudes ? c.terms.magnitudes : c.terms.sum, outside, got);
  }
}

template <Kind kind>
std::optional<ToldInPlace> judged(std::string_view contract, const std::string& format,
                                  std::span<const Strided> vectors, std::size_t n, std::size_t /*whole*/,
                                  const Strided& got) {
  return in_type_of(format, [&]<class T>(T) {
    return told_of<kind, T>(contract, vectors, n, oracle::bits_at(got, 0, contracts::format<T>));
  });
}

const InPlaceRegistration all[] = {{"sum", {1, false, judged<Kind::sum>}},
                                   {"asum", {1, false, judged<Kind::asum>}},
                                   {"nrm2", {1, false, judged<Kind::nrm2>}},
                                   {"dot", {2, false, judged<Kind::dot>}}};

}  // namespace
}  // namespace assay::contracts::reductions
