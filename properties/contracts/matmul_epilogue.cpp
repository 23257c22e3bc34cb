// D = α·A·B + β·C in mixed formats, as a foreign function computes it.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/matmul_theorems.hpp"
#include "properties/contracts/alone.hpp"
#include "properties/contracts/inputs.hpp"
#include "properties/contracts/left_out.hpp"
#include "properties/contracts/matmul_bounds.hpp"
#include "properties/contracts/matmul_epilogue_calls.hpp"
#include "properties/contracts/matmul_epilogue_screen.hpp"
#include "properties/contracts/order_products.hpp"
#include "properties/framework/device_turn.hpp"
#include "properties/framework/shared_function.hpp"

namespace assay::contracts::matmul_epilogue {
namespace {

using oracle::Dyadic;

template <class N>
using Case = EpilogueCase<N>;
using Entry = EpilogueEntry;
template <class N>
using Result = std::vector<typename N::Out>;
template <class N>
using Truth = EpilogueExact<N>;
template <class N>
using EpilogueClaim = Claim<Case<N>, Result<N>, Truth<N>>;
template <class N>
using Run = SharedFunction<std::vector<Result<N>>(const Executor&, std::span<const Case<N>>)>;

// ------------------------------------------------------------------------------------------------------- the claims

/// Judges the entries by their exact terms: judge(entry, worst judgment so far) gives nothing for those of which it
/// does not speak.
template <class N, class Judge>
Judgement judge_known(const Case<N>& c, const Judge& judge) {
  Judgement worst;
  std::size_t judged = 0;
  for (const Entry& entry : entries_of(c)) {
    const std::optional<Judgement> judgement = judge(entry, worst);
    if (!judgement) continue;
    if (are_enough(worst.violations())) break;
    worst.worsen(*judgement);
    ++judged;
  }
  worst.judged = judged;
  worst.sample_of = matmul_sample_of(product_of(c));
  return worst;
}

/// Whether the entries of the case are enclosed, because too many are there for their exact terms.
template <class N>
bool is_large(const Case<N>& c) {
  return !matmul_parts(product_of(c)).empty();
}

template <class N>
constexpr auto is_not_poisoned = [](const Case<N>& c) { return !is_poisoned(c); };

/// The claim that judge(got, entry, c) decides for every finite entry; a result of another length is violated.
/// clear(got, entry): as judge_entries has it. stays: null where every known entry is judged.
template <class N, class Clear, class Judge>
EpilogueClaim<N> of_finite_entries(ClaimInfo info, const Clear& clear, const Judge& judge, Stays stays = nullptr) {
  info.preconditions = "no infinity or NaN stands where nothing is to be read";
  return {std::move(info),
          [=](const Case<N>& c, const Truth<N>&, const Result<N>& result) {
            if (result.size() != c.results()) return Judgement::fail();
            const auto judge_one = [&](const Entry& entry) { return judge(result[entry.place], entry, c); };
            if (is_large(c)) {
              const auto is_clear = [&](const EnclosedEpilogue& entry) {
                return clear(in_binary64(result[entry.whole.place]), entry);
              };
              return judge_large_epilogue(c, is_clear, judge_one);
            }
            return judge_known(c, [&](const Entry& entry, const Judgement& worst) {
              if (entry.kind != EntryKind::finite) return std::optional<Judgement>();
              const bool stays_worst =
                  stays != nullptr && stays(worst, in_binary64(result[entry.place]),
                                            near_of(entry.exact, entry.rounded, out<N>), out<N>, entry.place);
              return std::optional(stays_worst ? Judgement::pass() : judge_one(entry));
            });
          },
          is_not_poisoned<N>};
}

/// How a bound judges an entry: judge_epilogue or judge_started.
using JudgeBound = std::optional<Judgement> (*)(const MatmulBound&, const MatmulSum&, const EpilogueOfSum&,
                                                std::uint64_t, std::size_t);

/// A number of binary64 that the bound of an entry, as `judge` has it, does not fall below. `of_sum`: the floor of B
/// for sums of that many terms without a last rounding.
template <class N>
double least_bound(const MatmulBound& bound, JudgeBound judge, const Entry& entry, BoundFloor& of_sum) {
  constexpr double down = 1 - 0x1p-40;  // below the rounding errors of these lines
  const bool is_included = bound.ending == MatmulEnding::included;
  const double unit = power_of_two(-N::accumulator.precision);  // no larger than that of the result
  const bool begins_with_c = judge == judge_started;
  double least = 0;
  if (begins_with_c) {
    least = of_sum((entry.scale * entry.least_magnitude + entry.start) * down, 0) + unit * std::abs(entry.rounded);
  } else {
    least = entry.scale * of_sum(entry.least_magnitude, entry.least_sum) +
            2 * unit * (entry.scale * entry.least_sum + entry.start);
  }
  const bool is_stored = !is_included && N::accumulator != out<N>;
  if (is_stored) least += power_of_two(-out<N>.precision) * (1 - 0x1p-7) * std::abs(entry.rounded);
  return least * down;
}

/// What least_bound takes of an enclosed entry.
template <class N>
Entry entry_of(const Case<N>& c, const EnclosedEpilogue& of) {
  Entry entry;
  entry.scale = c.reads_ab() ? std::abs(static_cast<double>(c.alpha)) : 0;
  entry.least_magnitude = of.product.magnitude;
  entry.least_sum = std::max(0.0, std::abs(of.product.value) - of.product.radius);
  entry.start = of.start;
  entry.rounded = std::max(0.0, std::abs(of.whole.value) - of.whole.radius);
  return entry;
}

template <class N>
const int bits_of_sums = bits_of_partial_sums(format_of<typename N::In>(), N::accumulator, out<N>);

/// Whether the judgment of an entry on a grid is a pass that changes no other: the entry is a number of the result's
/// format, so that binary64 holds it and `rounded` is the entry.
inline bool is_shown_exact(double got, const Entry& entry) {
  return entry.is_on_grid.value_or(false) && got == entry.rounded && NotedBounds::current() == nullptr;
}

template <class N>
EpilogueClaim<N> entry_within(const std::string& id, const TheoremWords& theorem, const MatmulBound& bound,
                              JudgeBound judge) {
  ClaimInfo info = claim_info(id, theorem);
  info.statement += ": " + instance_of(bound);
  info.preconditions = "no infinity or NaN stands where nothing is to be read";
  return {
      std::move(info),
      [&bound, judge](const Case<N>& c, const Truth<N>&, const Result<N>& result) {
        if (result.size() != c.results()) return Judgement::fail();
        const auto k = static_cast<std::uint64_t>(c.k) + (judge == judge_started ? bound.terms_of_start : 0);
        const bool is_included = bound.ending == MatmulEnding::included;
        BoundFloor of_sum(bound, k, N::accumulator, is_included ? out<N> : N::accumulator);
        if (is_large(c)) {
          const auto is_clear = [&](const EnclosedEpilogue& entry) {
            const double got = in_binary64(result[entry.whole.place]);
            const double error = error_of(got, entry.whole);
            if (is_the_multiple(got, error, entry.whole.grid)) return 0.0;
            if (!is_off_grid(entry.product, bits_of_sums<N>)) return -1.0;
            const double least = least_bound<N>(bound, judge, entry_of(c, entry), of_sum);
            return error <= least ? error / least : -1;
          };
          return judge_large_epilogue(c, is_clear, [&](const Entry& entry) {
            return judge(bound, sum_of<N>(c, entry), epilogue_of(entry), bits_of(result[entry.place]), entry.place)
                .value_or(Judgement::pass());
          });
        }
        Judgement worst;
        worst.judged = 0;
        const Entry* nearest = nullptr;
        double largest = 0;
        const auto judge_exactly = [&](const Entry& entry) {
          const std::size_t judged = worst.judged;
          worst.worsen(judge(bound, sum_of<N>(c, entry), epilogue_of(entry), bits_of(result[entry.place]), entry.place)
                           .value_or(Judgement::pass()));
          worst.judged = judged;
        };
        for (const Entry& entry : entries_of(c)) {
          if (entry.kind != EntryKind::finite) continue;
          if (VerdictsAlone::is_on() && are_enough(worst.violations())) break;
          ++worst.judged;
          const double got = in_binary64(result[entry.place]);
          if (*entry.is_on_grid) {
            if (!is_shown_exact(got, entry)) judge_exactly(entry);
            continue;
          }
          const double radius = std::abs(entry.rounded) * 0x1p-52 + 0x1p-1000;
          const double error = (std::abs(got - entry.rounded) + radius) * (1 + 0x1p-50);
          const double least = least_bound<N>(bound, judge, entry, of_sum);
          if (!(error <= least)) {
            judge_exactly(entry);
          } else if (error > largest * least) {
            largest = error / least;
            nearest = &entry;
          }
        }
        if (nearest != nullptr && !VerdictsAlone::is_on()) judge_exactly(*nearest);
        worst.sample_of = matmul_sample_of(product_of(c));
        return worst;
      },
      is_not_poisoned<N>};
}

/// Data so short that every correct kernel computes the exact result: this kernel must compute it, too.
template <class N>
EpilogueClaim<N> exact_grid() {
  return of_finite_entries<N>(
      claim_info("exact_grid", matmul_exact_grid_1.words),
      [](double got, const EnclosedEpilogue& entry) {
        const bool is_kept = is_off_grid(entry.product, bits_of_sums<N>) ||
                             is_the_multiple(got, error_of(got, entry.whole), entry.whole.grid);
        return is_kept ? 0.0 : -1.0;
      },
      [](typename N::Out got, const Entry& entry, const Case<N>& c) {
        if (is_shown_exact(in_binary64(got), entry)) return Judgement::pass();
        if (!is_exact_on_grid<N>(c, entry)) return Judgement::pass();
        if (kind_of(got) != EntryKind::finite) return Judgement::fail(entry.place);
        return judge_exact(value_of(got), entry.exact, entry.place);
      });
}

/// Clear where the number is finite.
constexpr auto clear_if_finite = [](double got, const EnclosedEpilogue&) { return std::isfinite(got) ? 0.0 : -1.0; };

template <class N>
EpilogueClaim<N> finite_entries() {
  return of_finite_entries<N>(claim_info("finite", matmul_finite_1.words), clear_if_finite,
                              [](typename N::Out got, const Entry& entry, const Case<N>& c) {
                                const bool is_finite = kind_of(got) == EntryKind::finite;
                                return Judgement::of(
                                    is_finite || !stays_finite(sum_of<N>(c, entry), epilogue_of(entry)), entry.place);
                              });
}

template <class N>
EpilogueClaim<N> exceptional_entries() {
  ClaimInfo info = claim_info("exceptional", matmul_epilogue_3.words);
  info.preconditions = "no infinity or NaN stands where nothing is to be read";
  return {std::move(info),
          [](const Case<N>& c, const Truth<N>&, const Result<N>& result) {
            if (result.size() != c.results()) return Judgement::fail();
            const auto judge = [&](EntryKind kind, std::size_t place) {
              return judge_special<N>(kind, result[place], place);
            };
            if (is_large(c)) return judge_large_special(c, judge);
            return judge_known(c, [&](const Entry& entry, const Judgement&) {
              return entry.kind == EntryKind::finite ? std::nullopt : std::optional(judge(entry.kind, entry.place));
            });
          },
          is_not_poisoned<N>};
}

/// Clear where the error is less than a share of the distance to the nearer neighbor.
template <class N>
auto clear_below(double share) {
  return [share](double got, const EnclosedEpilogue& entry) {
    const double most = share * gap_at(got, out<N>);
    const double error = error_of(got, entry.whole);
    return error < most ? error / most : -1;
  };
}

/// A few entries have the same bits without the rows, columns and products beside them, and rows in every batch. A NaN
/// is any NaN.
template <class N>
EpilogueClaim<N> same_in_batches(Run<N> run, std::size_t most) {
  return claim_spec("batch_invariant", matmul_alone_1,
                    [run, most](const Case<N>& c, const Truth<N>&, const Result<N>& result) {
                      if (c.results() == 0) return Judgement::pass();
                      if (result.size() != c.results()) return Judgement::fail();
                      const std::vector<std::size_t> places = places_to_ask_alone<typename N::In>(c);
                      std::vector<Case<N>> entries;
                      for (const std::size_t place : places)
                        entries.push_back({c.entry_alone(place), c.alpha, c.beta, {c.c[place]}});
                      const Judgement entry = judge_alone(run, entries, places, result);
                      if (entry.verdict != Verdict::holds) return entry;
                      AskedOrderOf<OrderOfEpilogue<N>, Case<N>, Result<N>> asked(run, c, result);
                      return judge_batches(asked, most);
                    });
}

/// What is not read does not come through.
template <class N>
EpilogueClaim<N> not_read() {
  EpilogueClaim<N> claim = of_finite_entries<N>(
      claim_info("not_read", matmul_epilogue_4.words), clear_if_finite,
      [](typename N::Out got, const Entry& entry, const Case<N>&) {
        const Dyadic exact = entry.exact;
        const bool overflows = !exact.is_zero() && exact.exponent() >= out<N>.emax;
        const EntryKind kind = kind_of(got);
        return Judgement::of(kind == EntryKind::finite || (overflows && kind != EntryKind::nan), entry.place);
      });
  claim.info.preconditions = "α = 0 or β = 0, and what is not read holds an infinity or a NaN";
  claim.applies = is_poisoned<N>;
  return claim;
}

template <class N>
std::vector<EpilogueClaim<N>> claims_of(const Question& question, const ForeignKernel& kernel, const Run<N>& run) {
  using Out = typename N::Out;
  std::vector<EpilogueClaim<N>> claims{
      of_finite_entries<N>(
          claim_info("correctly_rounded", contract_correctly_rounded_1.words), clear_below<N>(0.5),
          [](Out got, const Entry& entry, const Case<N>&) {
            return judge_rounded(bits_of(got), entry.exact, out<N>, oracle::Rounding::nearest,
                                 {.negative_zero = oracle::is_negative(out<N>, bits_of(got))}, entry.place);
          },
          stays_worst_rounded),
      of_finite_entries<N>(
          claim_info("faithful", contract_faithful_1.words), clear_below<N>(1),
          [](Out got, const Entry& entry, const Case<N>&) {
            return judge_faithful(bits_of(got), oracle::Exact(entry.exact), out<N>, entry.place);
          },
          stays_worst_faithful)};
  for (const MatmulBound& each : matmul_bounds()) {
    if (std::ranges::find(each.formats, question.format) == each.formats.end()) continue;
    claims.push_back(entry_within<N>(each.id, matmul_epilogue_1.words, each, judge_epilogue));
    if (each.terms_of_start == 0) continue;
    claims.push_back(entry_within<N>(started_id(each), matmul_epilogue_5.words, each, judge_started));
  }
  claims.push_back(exact_grid<N>());
  claims.push_back(finite_entries<N>());
  claims.push_back(of_finite_entries<N>(
      claim_info("zeros", matmul_epilogue_2.words),
      [](double, const EnclosedEpilogue& entry) { return entry.whole.magnitude > 0 ? 0.0 : -1.0; },
      [](Out got, const Entry& entry, const Case<N>&) {
        const bool is_zero = (bits_of(got) & ~out<N>.sign_mask()) == 0;
        return Judgement::of(!entry.product.magnitudes.is_zero() || !entry.addend.is_zero() || is_zero, entry.place);
      }));
  claims.push_back(exceptional_entries<N>());
  const bool has_any_shape = limits_of<N>().multiple_of == 1;
  if (has_any_shape) claims.push_back(same_in_batches<N>(run, most_in_batch(kernel)));
  claims.push_back(not_read<N>());
  if (has_any_shape) append_order<OrderOfEpilogue<N>>(claims, question, kernel, run);
  return claims;
}

// ----------------------------------------------------------------------------------------------------- the property

template <class N>
std::unique_ptr<PropertyModel> property_of(const Question& question, const ForeignKernel& kernel) {
  const auto run = [kernel](const Executor& on, std::span<const Case<N>> cases) {
    if (kernel.program != nullptr) {
      return results_of<typename N::Out>(*kernel.program, on, cases, [](const Case<N>& c) { return c.results(); });
    }
    std::vector<Result<N>> results;
    for (const Case<N>& c : cases) {
      results.push_back(kernel.control ? controlled<N>(*kernel.control, c)
                                       : called<N>(kernel, place_of(kernel, on), c));
    }
    return results;
  };
  const Run<N> run_again = [run, kernel](const Executor& on, std::span<const Case<N>> cases) {
    const DeviceTurn turn(kernel.on_device);
    return run(on, cases);
  };
  const auto is_inexact = [](const Case<N>& c, const Truth<N>&, const Result<N>& result) {
    if (result.size() == c.results()) {
      const std::optional<bool> shown = is_shown_inexact(product_of(c), [&](const EnclosedEntry& product) {
        const double got = in_binary64(result[product.place]);
        if (!std::isfinite(got)) return std::optional(false);
        if (c.reads_c() && kind_of(c.c[product.place]) != EntryKind::finite) return std::optional<bool>();
        return is_another_number(got, enclosed_epilogue(c, product).whole);
      });
      if (shown) return *shown;
    }
    return std::ranges::any_of(entries_of(c), [&](const Entry& entry) {
      return entry.place < result.size() && kind_of(result[entry.place]) == EntryKind::finite &&
             value_of(result[entry.place]) != entry.exact;
    });
  };
  return asked(Property<Case<N>, Result<N>, Truth<N>>{.name = {},
                                                      .domain = epilogue_domain<N>(),
                                                      .subject = run,
                                                      .reference = [](const Case<N>& c) { return Truth<N>(c); },
                                                      .claims = claims_of<N>(question, kernel, run_again),
                                                      .inexact = is_inexact},
               "matmul_epilogue" + suffix_of(question.format), question);
}

std::unique_ptr<PropertyModel> epilogue_property(const Question& question, const ForeignKernel& kernel) {
  std::unique_ptr<PropertyModel> property;
  for_each_float_format([&]<class N>(const std::string& name, N) {
    if (question.format == name) property = property_of<N>(question, kernel);
  });
  if (property == nullptr) throw std::invalid_argument("no format " + question.format);
  return property;
}

std::vector<Contract> contracts() {
  std::vector<Contract> all{{"correctly_rounded",
                             &contract_correctly_rounded_1.words,
                             {},
                             {"faithful", "inner_product", "fma_chain", "tensor_core_hopper", "tf32_hopper", "zeros"}},
                            {"faithful", &contract_faithful_1.words, {}, {"zeros", "exact_grid", "finite"}}};
  for (const MatmulBound& each : matmul_bounds()) {
    Contract contract{each.id, &matmul_epilogue_1.words, instance_of(each), each.implies, true, each.formats};
    if (each.terms_of_start > 0) contract.implies.push_back(started_id(each));
    all.push_back(std::move(contract));
  }
  for (const MatmulBound& each : matmul_bounds()) {
    if (each.terms_of_start == 0) continue;
    Contract contract{started_id(each), &matmul_epilogue_5.words, instance_of(each), {"exact_grid", "finite"}, true,
                      each.formats};
    for (const MatmulBound& weaker : matmul_bounds()) {
      const bool is_weaker = std::ranges::find(each.implies, weaker.id) != each.implies.end();
      if (is_weaker && weaker.terms_of_start > 0) contract.implies.push_back(started_id(weaker));
    }
    all.push_back(std::move(contract));
  }
  all.push_back({"exact_grid", &matmul_exact_grid_1.words});
  all.push_back({"finite", &matmul_finite_1.words, {}, {}, false});
  all.push_back({"zeros", &matmul_epilogue_2.words, {}, {}, false});
  all.push_back({"exceptional", &matmul_epilogue_3.words, {}, {}, false});
  all.push_back({"batch_invariant", &matmul_alone_1.words, {}, {}, false, formats_of_any_shape()});
  all.push_back({"not_read", &matmul_epilogue_4.words, {}, {}, false});
  // Their bounds are larger than those of the stronger contracts beside them by a few parts in a hundred, or, for tf32,
  // by less than the rounding of a factor.
  return leaving_out(with_order(std::move(all), formats_of_any_shape()),
                     {"wide_inner_product", "split_k_hopper", "split_k", "tf32", "from_c_split_k"});
}

const OperationRegistration all[] = {OperationRegistration(
    {"matmul_epilogue",
     "D_p = α·A_p·B_p + β·C_p for p < batch, A_p of m × k and B_p of k × n, row-major",
     float_formats(),
     {{CallForm::plain,
       "void f(size_t batch, size_t m, size_t n, size_t k, S alpha, const T* a, const T* b, S beta, const R* c, R* d), "
       "with R for the result type, S for double where R is, else float"},
      {CallForm::device,
       "void f(size_t batch, size_t m, size_t n, size_t k, S alpha, const T* a, const T* b, S beta, const R* c, R* d, "
       "void* stream)"}},
     contracts(),
     epilogue_property,
     false,
     true})};

}  // namespace
}  // namespace assay::contracts::matmul_epilogue
