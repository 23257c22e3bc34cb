// Sums over ranks, all_reduce and reduce_scatter, as a foreign kernel computes them.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "properties/contracts/claims.hpp"
#include "properties/contracts/collective_claims.hpp"

namespace assay::contracts::collectives {

/// The terms of each column.
struct ColumnTerms {
  std::vector<Terms> columns;
};
/// The terms of a result: rank after rank has one for each column.
inline const Terms& terms_at(const ColumnTerms& terms, std::size_t i) {
  return terms.columns[i % terms.columns.size()];
}

namespace {

/// The terms of the columns of a case. Those of the last case of a thread are kept, because all its claims ask.
template <FloatingPoint T>
const ColumnTerms& terms_of(const CollectiveCase<T>& c) {
  thread_local std::pair<CollectiveCase<T>, ColumnTerms> last;
  if (last.first.ranks == c.ranks && last.first.n == c.n && last.first.x == c.x) return last.second;
  ColumnTerms terms;
  for (std::size_t i = 0; i < c.width(); ++i) {
    Terms& column = terms.columns.emplace_back();
    for (const T& each : column_of(c, i)) column.add(each);
  }
  last = {c, std::move(terms)};
  return last.second;
}

std::size_t results_of_ranks(Collective kind, std::int64_t ranks, std::size_t width) {
  return kind == Collective::reduce_scatter ? width : static_cast<std::size_t>(ranks) * width;
}

template <FloatingPoint T, Collective kind>
std::vector<Dyadic> exact_sums_of(const CollectiveCase<T>& c) {
  const CollectiveCase<T> finite = finite_part_of(c);
  const ColumnTerms& terms = terms_of(finite);
  std::vector<Dyadic> exact;
  const std::size_t count = results_of_ranks(kind, c.ranks, c.width());
  for (std::size_t i = 0; i < count; ++i) exact.push_back(terms_at(terms, i).sum);
  return exact;
}

template <FloatingPoint T, Collective kind>
Due due_of_ranks(const CollectiveCase<T>& c) {
  Due due;
  const std::size_t count = results_of_ranks(kind, c.ranks, c.width());
  for (std::size_t k = 0; k < count; ++k) {
    due.push_back(sum::special_sum<T>(static_cast<std::size_t>(c.ranks), [&](std::size_t rank) {
      return sum::special_term(format<T>, bits_of(c.at(rank, k % c.width())));
    }));
  }
  return due;
}

/// Of columns of zeros: −0 where all of them are.
template <FloatingPoint T>
auto zeros() {
  using Case = CollectiveCase<T>;
  const auto is_zero = [](const T& each) { return (bits_of(each) & ~format<T>.sign_mask()) == 0; };
  return satisfies("zeros", collective_zeros_1, [is_zero](const Case& c, const std::vector<T>& result) {
    std::size_t judged = 0;
    for (std::size_t i = 0; i < c.width(); ++i) {
      const std::vector<T> column = column_of(c, i);
      if (!std::ranges::all_of(column, is_zero)) continue;
      const bool is_minus = std::ranges::all_of(column, [](const T& each) { return bits_of(each) != 0; });
      for (std::size_t k = i; k < result.size(); k += c.width()) {
        ++judged;
        if (bits_of(result[k]) == (is_minus ? format<T>.sign_mask() : 0)) continue;
        remark(std::string(is_minus ? "-0" : "0") + is_due);
        return Judgement::fail(k);
      }
    }
    Judgement judgement = judged == 0 ? says_nothing() : Judgement::pass();
    judgement.judged = judged;
    return judgement;
  });
}

template <FloatingPoint T>
bool is_any_column(const std::vector<T>& /*column*/) {
  return true;
}

template <FloatingPoint T, Collective kind>
Claims<T> claims_of_sums(const Run<T>& run) {
  using Case = CollectiveCase<T>;
  Claims<T> claims{nearest_with_any_zero("correctly_rounded", contract_correctly_rounded_1),
                   faithful("faithful", contract_faithful_1)};
  const auto claims_in = [](const Accumulator& in) {
    Claims<T> bounds;
    const oracle::Format of = in.format;
    const auto within = [&](const char* id, const BoundedTheorem auto& theorem, auto bound_of) {
      bounds.push_back(adds_within<T>(in, id, theorem, terms_of<T>, bound_of));
    };
    within("tree", collective_tree_1, [p = of.precision](const auto& bound, const Terms& terms) {
      return smaller(bound(pairwise_height(terms.n), terms.magnitudes, p),
                     collective_any_order_1(terms.n, terms.magnitudes, p));
    });
    within("any_order", collective_any_order_1,
           [p = of.precision](const auto& bound, const Terms& terms) { return bound(terms.n, terms.magnitudes, p); });
    if (!is_usual<T>(in)) return bounds;
    within("any_order_ftz", collective_flushed_1, [of](const auto& bound, const Terms& terms) {
      return bound(terms.n, terms.magnitudes, terms.lost_in(of), of);
    });
    bounds.push_back(exact_on_grids<T>(in, terms_of<T>));
    return bounds;
  };
  const auto is_finite = [](const Case& c) { return is_finite_case(c); };
  append_rungs<T>(claims, claims_in, is_finite, "at each index " + staying_finite<T>(), [](const Case& c) {
    return std::ranges::all_of(terms_of(c).columns, [](const Terms& each) { return stays_finite<T>(each.magnitudes); });
  });
  claims.push_back(order_free<T>(run));
  claims = of_finite_cases(std::move(claims), is_finite);
  if constexpr (kind == Collective::all_reduce) claims.push_back(same_bits_on_all_ranks<T>());
  claims.push_back(place_invariant<T>(
      kind, "the arrays are not empty, and of 3 ranks or more some indices have numbers whose sums show another order",
      run, [](const std::vector<T>& column) { return column.size() < 3 || shows_order(column); }));
  claims.push_back(run_to_run<T>(kind, run));
  claims.push_back(when(
      "a NaN or an infinity is among the numbers", [](const Case& c) { return !is_finite_case(c); },
      becomes<T>("exceptional", collective_exceptional_1, due_of_ranks<T, kind>)));
  claims.push_back(when(
      "all ranks have a zero at some index", [](const Case&) { return true; }, zeros<T>()));
  return claims;
}

/// all_reduce or reduce_scatter of numbers of the type T.
template <Collective kind>
constexpr auto sums_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return collective_property<T>(
      {.name = kind == Collective::all_reduce ? "all_reduce" : "reduce_scatter",
       .domain = collective_domain<T>(kind),
       .before = [](const CollectiveCase<T>& c) { return unwritten<T>(results_of_ranks(kind, c.ranks, c.width())); },
       .call = call_collective<T>,
       .truth = exact_sums_of<T, kind>,
       .copied = &CollectiveCase<T>::x,
       .claims = {}},
      question, kernel, claims_of_sums<T, kind>);
};

std::vector<Contract> contracts_of_sums(bool at_all_ranks) {
  std::vector<Contract> others{{"order_free", &collective_order_free_1.words, {}, {}, false},
                               {"place_invariant", &collective_place_1.words, {}, {}, false},
                               {"run_to_run", &collective_run_to_run_1.words, {}, {}, false},
                               {"exceptional", &collective_exceptional_1.words, {}, {}, false},
                               {"zeros", &collective_zeros_1.words, {}, {}, false}};
  if (at_all_ranks) {
    others.insert(others.begin(), {"same_bits_on_all_ranks", &collective_same_on_ranks_1.words, {}, {}, false});
  }
  return with_rungs({{"correctly_rounded", &contract_correctly_rounded_1.words, {}, {"faithful", "tree"}},
                     {"faithful", &contract_faithful_1.words}},
                    {{"tree", &collective_tree_1.words, {}, {"any_order"}},
                     {"any_order", &collective_any_order_1.words, {}, {"any_order_ftz"}}},
                    {{"any_order_ftz", &collective_flushed_1.words}}, {"tree", "any_order"}, others);
}

const OperationRegistration summing[] = {
    OperationRegistration({"all_reduce", "Σ over the ranks of their numbers at each of n indices, for every rank",
                           with_narrow_formats(), collective_signatures(), contracts_of_sums(true),
                           property_in_any_format<sums_of<Collective::all_reduce>>}),
    OperationRegistration({"reduce_scatter",
                           "Σ over the ranks of their numbers at each index, block k of n sums for rank k",
                           with_narrow_formats(), collective_signatures(), contracts_of_sums(false),
                           property_in_any_format<sums_of<Collective::reduce_scatter>>}),
};

}  // namespace
}  // namespace assay::contracts::collectives
