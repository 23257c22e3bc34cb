// Largest and least numbers over ranks, and copies of what the ranks hold, as a foreign kernel computes them.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "properties/contracts/collective_claims.hpp"
#include "properties/contracts/neighbours.hpp"

namespace assay::contracts::collectives {
namespace {

template <FloatingPoint T>
bool is_nan_number(const T& x) {
  return oracle::is_nan(format<T>, bits_of(x));
}

/// A NaN whose first bit of the fraction is 0.
template <FloatingPoint T>
bool is_signaling(const T& x) {
  return is_nan_number(x) && (bits_of(x) & (std::uint64_t{1} << (format<T>.fraction_bits() - 1))) == 0;
}

/// The largest or least of the numbers that are not NaN, −0 less than +0; nothing where there is none.
template <FloatingPoint T, bool largest>
std::optional<T> extreme_of(const std::vector<T>& column) {
  const auto key = [](const T& each) {
    const bool is_minus = oracle::is_negative(format<T>, bits_of(each));
    return std::pair(place_of(each), !is_minus);
  };
  std::optional<T> extreme;
  for (const T& each : column) {
    if (is_nan_number(each)) continue;
    if (!extreme || (largest ? key(*extreme) < key(each) : key(each) < key(*extreme))) extreme = each;
  }
  return extreme;
}

template <FloatingPoint T, bool largest>
std::vector<Dyadic> exact_extremes(const CollectiveCase<T>& c) {
  const CollectiveCase<T> finite = finite_part_of(c);
  std::vector<Dyadic> exact;
  for (std::size_t i = 0; i < c.width(); ++i) exact.push_back(value_of(*extreme_of<T, largest>(column_of(finite, i))));
  std::vector<Dyadic> at_all_ranks;
  for (std::int64_t rank = 0; rank < c.ranks; ++rank) {
    at_all_ranks.insert(at_all_ranks.end(), exact.begin(), exact.end());
  }
  return at_all_ranks;
}

/// is_right(column, extreme of its numbers, result) at every rank, for the columns that `is_asked` accepts. Silent
/// where it accepts none.
template <FloatingPoint T, bool largest, class IsAsked, class IsRight>
auto of_columns_where(std::string id, const AnyTheorem auto& theorem, IsAsked is_asked, IsRight is_right) {
  return satisfies(std::move(id), theorem, [=](const CollectiveCase<T>& c, const std::vector<T>& result) {
    Judgement judgement = Judgement::pass();
    judgement.judged = 0;
    for (std::size_t i = 0; i < c.width(); ++i) {
      const std::vector<T> column = column_of(c, i);
      const std::optional<T> extreme = extreme_of<T, largest>(column);
      if (!is_asked(column, extreme)) continue;
      for (std::size_t k = i; k < result.size(); k += c.width()) {
        ++judgement.judged;
        if (is_right(extreme, result[k])) continue;
        const std::string due = extreme ? text_of(*extreme) : "NaN";
        remark(due + is_due);
        return Judgement::fail(k);
      }
    }
    return judgement.judged == 0 ? says_nothing() : judgement;
  });
}

template <FloatingPoint T, bool largest>
Claims<T> claims_of_extremes(const Run<T>& run) {
  using Extreme = std::optional<T>;
  const auto has_nan = [](const std::vector<T>& column) { return std::ranges::any_of(column, is_nan_number<T>); };
  const auto is_zero = [](const T& x) { return (bits_of(x) & ~format<T>.sign_mask()) == 0; };
  const auto same_but_zeros = [=](const Extreme& extreme, const T& got) {
    return bits_of(*extreme) == bits_of(got) || (is_zero(*extreme) && is_zero(got));
  };
  const auto with_nan = [=](const std::vector<T>& column, const Extreme&) { return has_nan(column); };
  const auto has_signaling = [](const std::vector<T>& column) { return std::ranges::any_of(column, is_signaling<T>); };
  const auto with_quiet_nan = [=](const std::vector<T>& column, const Extreme&) {
    return has_nan(column) && !has_signaling(column);
  };
  return {
      of_columns_where<T, largest>(
          "exact", collective_extreme_1, [=](const std::vector<T>& column, const Extreme&) { return !has_nan(column); },
          same_but_zeros),
      of_columns_where<T, largest>("nan_propagates", collective_extreme_2, with_nan,
                                   [](const Extreme&, const T& got) { return is_nan_number(got); }),
      of_columns_where<T, largest>("nan_is_missing", collective_extreme_3, with_quiet_nan,
                                   [=](const Extreme& extreme, const T& got) {
                                     return extreme ? same_but_zeros(extreme, got) : is_nan_number(got);
                                   }),
      of_columns_where<T, largest>(
          "zeros_ordered", collective_extreme_4,
          [=](const std::vector<T>& column, const Extreme& extreme) { return !has_nan(column) && is_zero(*extreme); },
          [](const Extreme& extreme, const T& got) { return bits_of(*extreme) == bits_of(got); }),
      same_bits_on_all_ranks<T>(),
      place_invariant<T>(Collective::all_reduce,
                         "some column has zeros or NaN, which may show another order, and no signaling NaN", run,
                         [=](const std::vector<T>& column) {
                           return !has_signaling(column) && (has_nan(column) || std::ranges::any_of(column, is_zero));
                         }),
      run_to_run<T>(Collective::all_reduce, run)};
}

template <bool largest>
constexpr auto extremes_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return collective_property<T>({.name = largest ? "all_reduce_max" : "all_reduce_min",
                                 .domain = collective_domain<T>(Collective::all_reduce),
                                 .before = [](const CollectiveCase<T>& c) { return unwritten<T>(c.x.size()); },
                                 .call = call_collective<T>,
                                 .truth = exact_extremes<T, largest>,
                                 .copied = &CollectiveCase<T>::x,
                                 .claims = {}},
                                question, kernel, claims_of_extremes<T, largest>);
};

std::vector<Contract> contracts_of_extremes() {
  Contract propagates{"nan_propagates", &collective_extreme_2.words, {}, {}, false};
  Contract is_missing{"nan_is_missing", &collective_extreme_3.words, {}, {}, false};
  propagates.choice = is_missing.choice = "NaN";
  return {{"exact", &collective_extreme_1.words},
          propagates,
          is_missing,
          {"zeros_ordered", &collective_extreme_4.words, {}, {}, false},
          {"same_bits_on_all_ranks", &collective_same_on_ranks_1.words, {}, {}, false},
          {"place_invariant", &collective_place_1.words, {}, {}, false},
          {"run_to_run", &collective_run_to_run_1.words, {}, {}, false}};
}

template <FloatingPoint T>
std::vector<Dyadic> exact_copies(const CollectiveCase<T>& c) {
  std::vector<Dyadic> exact;
  for (std::int64_t rank = 0; rank < c.ranks; ++rank) {
    for (const T& each : finite_part(c.x)) exact.push_back(value_of(each));
  }
  return exact;
}

template <FloatingPoint T>
Claims<T> claims_of_copies(const Run<T>& run) {
  return {satisfies("bits_kept", collective_copies_1,
                    [](const CollectiveCase<T>& c, const std::vector<T>& result) {
                      for (std::size_t k = 0; k < result.size(); ++k) {
                        const T& due = c.x[k % c.x.size()];
                        if (bits_of(result[k]) == bits_of(due)) continue;
                        remark(text_of(due) + is_due);
                        return Judgement::fail(k);
                      }
                      return Judgement::pass();
                    }),
          run_to_run<T>(Collective::all_gather, run)};
}

constexpr auto copies_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return collective_property<T>(
      {.name = "all_gather",
       .domain = collective_domain<T>(Collective::all_gather),
       .before =
           [](const CollectiveCase<T>& c) { return unwritten<T>(static_cast<std::size_t>(c.ranks) * c.x.size()); },
       .call = call_collective<T>,
       .truth = exact_copies<T>,
       .copied = &CollectiveCase<T>::x,
       .claims = {}},
      question, kernel, claims_of_copies<T>);
};

const OperationRegistration all[] = {
    OperationRegistration({"all_reduce_max", "the largest of the ranks' numbers at each of n indices, for every rank",
                           with_narrow_formats(), collective_signatures(), contracts_of_extremes(),
                           property_in_any_format<extremes_of<true>>}),
    OperationRegistration({"all_reduce_min", "the least of the ranks' numbers at each of n indices, for every rank",
                           with_narrow_formats(), collective_signatures(), contracts_of_extremes(),
                           property_in_any_format<extremes_of<false>>}),
    OperationRegistration(
        {"all_gather",
         "the n numbers of each rank, one rank behind the other, for every rank",
         with_narrow_formats(),
         collective_signatures(),
         {{"bits_kept", &collective_copies_1.words}, {"run_to_run", &collective_run_to_run_1.words, {}, {}, false}},
         property_in_any_format<copies_of>}),
};

}  // namespace
}  // namespace assay::contracts::collectives
