// D = α·A·B + β·C in mixed formats, as a foreign function computes it.

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/matmul_theorems.hpp"
#include "properties/contracts/inputs.hpp"
#include "properties/contracts/matmul_bounds.hpp"
#include "properties/contracts/matmul_epilogue_cases.hpp"
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
using Truth = std::vector<Dyadic>;
template <class N>
using EpilogueClaim = Claim<Case<N>, Result<N>, Truth>;
template <class N>
using Run = SharedFunction<Result<N>(const Executor&, const Case<N>&)>;

// ------------------------------------------------------------------------------------------------------- the claims

/// The claim judge(got, entry) of every judged entry; a result of another length is violated.
template <class N, class Judge>
EpilogueClaim<N> of_entries(ClaimInfo info, const Judge& judge) {
  info.preconditions = "no infinity or NaN stands where nothing is to be read";
  return {std::move(info),
          [judge](const Case<N>& c, const Truth&, const Result<N>& result) {
            if (result.size() != c.results()) return Judgement::fail();
            Judgement worst;
            std::size_t judged = 0;
            for (const Entry& entry : entries_of(c)) {
              const std::optional<Judgement> judgement = judge(result[entry.place], entry, c);
              if (!judgement) continue;
              worst.worsen(*judgement);
              ++judged;
            }
            worst.judged = judged;
            return worst;
          },
          [](const Case<N>& c) { return !is_poisoned(c); }};
}
/// The same of the finite entries alone.
template <class N, class Judge>
EpilogueClaim<N> of_finite_entries(ClaimInfo info, const Judge& judge) {
  return of_entries<N>(std::move(info),
                       [judge](typename N::Out got, const Entry& entry, const Case<N>& c) -> std::optional<Judgement> {
                         if (entry.kind != EntryKind::finite) return std::nullopt;
                         return judge(got, entry, c);
                       });
}

template <class N>
EpilogueClaim<N> entry_within(const MatmulBound& bound) {
  ClaimInfo info = claim_info(bound.id, matmul_epilogue_1.words);
  info.statement += ": " + instance_of(bound);
  return of_finite_entries<N>(std::move(info), [&bound](typename N::Out got, const Entry& entry, const Case<N>& c) {
    if (!oracle::is_finite(out<N>, bits_of(got))) return Judgement::fail(entry.place);
    const MatmulSum sum{static_cast<std::uint64_t>(c.k), entry.product, N::accumulator, out<N>};
    return judge_within(value_of(got), entry.exact(), epilogue_bound_of(bound, sum, entry.alpha, entry.addend),
                        entry.place);
  });
}

/// The entry of the first product has the same bits without the rows and columns beside it. A NaN is any NaN.
template <class N>
EpilogueClaim<N> alone(Run<N> run) {
  return claim_spec("alone", matmul_alone_1, [run](const Case<N>& c, const Truth&, const Result<N>& result) {
    if (c.results() == 0) return Judgement::pass();
    const Case<N> first{c.first_entry(), c.alpha, c.beta, {c.c.front()}};
    const Result<N> again = run_fenced(run, Executor::host(), first);
    return Judgement::of(again.size() == 1 && same_bits(again.front(), result.front()));
  });
}

/// What is not read does not come through.
template <class N>
EpilogueClaim<N> not_read() {
  EpilogueClaim<N> claim = of_finite_entries<N>(claim_info("not_read", matmul_epilogue_4.words),
                                                [](typename N::Out got, const Entry& entry, const Case<N>&) {
                                                  return Judgement::of(kind_of(got) == EntryKind::finite, entry.place);
                                                });
  claim.info.preconditions = "α = 0 or β = 0, and what is not read holds an infinity or a NaN";
  claim.applies = is_poisoned<N>;
  return claim;
}

template <class N>
std::vector<EpilogueClaim<N>> claims_of(const std::string& format, const Run<N>& run) {
  using Out = typename N::Out;
  std::vector<EpilogueClaim<N>> claims{
      of_finite_entries<N>(claim_info("correctly_rounded", contract_correctly_rounded_1.words),
                           [](Out got, const Entry& entry, const Case<N>&) {
                             return judge_rounded(bits_of(got), entry.exact(), out<N>, oracle::Rounding::nearest,
                                                  {.negative_zero = oracle::is_negative(out<N>, bits_of(got))},
                                                  entry.place);
                           }),
      of_finite_entries<N>(claim_info("faithful", contract_faithful_1.words),
                           [](Out got, const Entry& entry, const Case<N>&) {
                             return judge_faithful(bits_of(got), oracle::Exact(entry.exact()), out<N>, entry.place);
                           })};
  for (const MatmulBound& each : matmul_bounds()) {
    if (std::ranges::find(each.formats, format) != each.formats.end()) claims.push_back(entry_within<N>(each));
  }
  claims.push_back(of_finite_entries<N>(
      claim_info("zeros", matmul_epilogue_2.words), [](Out got, const Entry& entry, const Case<N>&) {
        const bool is_zero = (bits_of(got) & ~out<N>.sign_mask()) == 0;
        return Judgement::of(!entry.product.magnitudes.is_zero() || !entry.addend.is_zero() || is_zero, entry.place);
      }));
  claims.push_back(of_entries<N>(claim_info("exceptional", matmul_epilogue_3.words),
                                 [](Out got, const Entry& entry, const Case<N>&) -> std::optional<Judgement> {
                                   if (entry.kind == EntryKind::finite) return std::nullopt;
                                   return Judgement::of(is_right_special<N>(entry.kind, got), entry.place);
                                 }));
  if (limits_of<N>().multiple_of == 1) claims.push_back(alone<N>(run));
  claims.push_back(not_read<N>());
  return claims;
}

// ------------------------------------------------------------------------------------------------------- the kernel

/// The call of a function for C.
template <class N>
Result<N> called(const ForeignKernel& kernel, const Executor& on, const Case<N>& c) {
  using In = typename N::In;
  using Out = typename N::Out;
  using Acc = typename N::Accumulator;
  thread_local std::array<FencedMemory, 4> memory;
  const FencedArray<In> a(memory[0], on, c.a);
  const FencedArray<In> b(memory[1], on, c.b);
  const FencedArray<Out> start(memory[2], on, c.c);
  const FencedArray<Out> result(memory[3], on, std::vector<Out>(c.results(), number_of<Out>(out<N>.nan())));
  const auto size = [](std::int64_t x) { return static_cast<std::size_t>(x); };
  const auto call = [&](auto... behind) {
    using Size = std::size_t;
    function<void(Size, Size, Size, Size, Acc, const In*, const In*, Acc, const Out*, Out*, decltype(behind)...)>(
        kernel)(size(c.batch), size(c.m), size(c.n), size(c.k), c.alpha, a.data(), b.data(), c.beta, start.data(),
                result.data(), behind...);
  };
  if (kernel.form == CallForm::device) {
    call(static_cast<void*>(nullptr));
  } else {
    call();
  }
  finish(on, 0);
  check_input(a, on, c.a, "a");
  check_input(b, on, c.b, "b");
  check_input(start, on, c.c, "c");
  return result.take(on);
}

/// The result of a control.
template <class N>
Result<N> controlled(Control control, const Case<N>& c) {
  using Out = typename N::Out;
  thread_local Out last{};
  const auto same = [&](Out x) { return Result<N>(c.results(), x); };
  switch (control) {
    case Control::zeros:
      return same(Out{});
    case Control::ones:
      return same(static_cast<Out>(1.0));
    case Control::nan:
    case Control::unwritten:
      return same(number_of<Out>(out<N>.nan()));
    case Control::copy:
      return c.c;
    case Control::first_term:
    case Control::previous:
    case Control::last_product:
      break;
  }
  Result<N> result(c.results());
  const auto of_one = static_cast<std::size_t>(c.m * c.n);
  for (const Entry& entry : entries_of(c)) {
    Out& got = result[entry.place];
    got = nearest_to<Out>(control == Control::first_term ? entry.alpha * entry.product.sum : entry.exact());
    if (control == Control::previous) std::swap(got, last);
    if (control == Control::last_product && entry.place / of_one + 1 == static_cast<std::size_t>(c.batch)) {
      got = result[entry.place % of_one];
    }
  }
  return result;
}

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
  const Run<N> run_again = [run, kernel](const Executor& on, const Case<N>& c) {
    const DeviceTurn turn(kernel.on_device);
    return run(on, std::span(&c, 1)).front();
  };
  const auto exact = [](const Case<N>& c) {
    Truth all(c.results());
    for (const Entry& entry : entries_of(c)) all[entry.place] = entry.exact();
    return all;
  };
  const auto is_inexact = [](const Case<N>& c, const Truth& truth, const Result<N>& result) {
    return std::ranges::any_of(entries_of(c), [&](const Entry& entry) {
      return entry.place < result.size() && kind_of(result[entry.place]) == EntryKind::finite &&
             value_of(result[entry.place]) != truth[entry.place];
    });
  };
  return asked(Property<Case<N>, Result<N>>{.name = {},
                                            .domain = epilogue_domain<N>(),
                                            .subject = run,
                                            .reference = exact,
                                            .claims = claims_of<N>(question.format, run_again),
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
                            {"faithful", &contract_faithful_1.words, {}, {"zeros"}}};
  for (const MatmulBound& each : matmul_bounds()) {
    all.push_back({each.id, &matmul_epilogue_1.words, instance_of(each), each.implies, true, each.formats});
  }
  all.push_back({"zeros", &matmul_epilogue_2.words, {}, {}, false});
  all.push_back({"exceptional", &matmul_epilogue_3.words, {}, {}, false});
  all.push_back({"alone", &matmul_alone_1.words, {}, {}, false, formats_of_any_shape()});
  all.push_back({"not_read", &matmul_epilogue_4.words, {}, {}, false});
  return all;
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
