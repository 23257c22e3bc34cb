// D = α·A·B + β·C in mixed formats, as a foreign function computes it.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/matmul_theorems.hpp"
#include "properties/contracts/inputs.hpp"
#include "properties/contracts/matmul_bounds.hpp"
#include "properties/contracts/matmul_numbers.hpp"
#include "properties/framework/device_turn.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/shared_function.hpp"

namespace assay::contracts {
namespace {

using oracle::Dyadic;

/// D_p = α·A_p·B_p + β·C_p, C_p in the layout and the format of D_p.
template <class N>
struct Case : MatmulCase<typename N::In> {
  typename N::Accumulator alpha = 1, beta = 0;
  std::vector<typename N::Out> c;
  static constexpr auto fields() {
    return std::tuple{field("batch", &Case::batch), field("m", &Case::m),         field("n", &Case::n),
                      field("k", &Case::k),         field("alpha", &Case::alpha), field("a", &Case::a),
                      field("b", &Case::b),         field("beta", &Case::beta),   field("c", &Case::c)};
  }
  /// Whether the product, and whether β·C, is part of the result. What is not is not read.
  [[nodiscard]] bool reads_ab() const { return this->k > 0 && alpha != 0; }
  [[nodiscard]] bool reads_c() const { return beta != 0; }
};
template <class N>
using Result = std::vector<typename N::Out>;
using Truth = std::vector<Dyadic>;
template <class N>
using EpilogueClaim = Claim<Case<N>, Result<N>, Truth>;
template <class N>
using Run = SharedFunction<Result<N>(const Executor&, const Case<N>&)>;

/// One entry αs + βc.
struct Entry {
  EntryKind kind = EntryKind::finite;
  MatmulTerms product;  ///< of s; all 0 where it is not read or not finite
  Dyadic alpha;
  Dyadic addend;  ///< βc; 0 where it is not read or not finite
  std::size_t place = 0;
  [[nodiscard]] Dyadic exact() const { return alpha * product.sum + addend; }
};

EntryKind with_sign_of(double factor, EntryKind kind) {
  if (factor > 0 || kind == EntryKind::finite || kind == EntryKind::nan) return kind;
  return kind == EntryKind::plus_infinity ? EntryKind::minus_infinity : EntryKind::plus_infinity;
}
EntryKind sum_of(EntryKind x, EntryKind y) {
  if (x == EntryKind::finite) return y;
  return y == EntryKind::finite || x == y ? x : EntryKind::nan;
}
template <FloatingPoint T>
EntryKind kind_of(T x) {
  const std::uint64_t bits = bits_of(x);
  if (oracle::is_finite(format<T>, bits)) return EntryKind::finite;
  if (oracle::is_nan(format<T>, bits)) return EntryKind::nan;
  return oracle::is_negative(format<T>, bits) ? EntryKind::minus_infinity : EntryKind::plus_infinity;
}

/// The judged entries.
template <class N>
std::vector<Entry> entries_of(const Case<N>& c) {
  std::vector<Entry> entries;
  const MatmulTruth& truth = matmul_truth<typename N::In>(c);
  for (std::size_t i = 0; i < truth.entries.size(); ++i) {
    Entry& entry = entries.emplace_back();
    entry.place = truth.entries[i].place;
    if (c.reads_ab()) {
      entry.product = truth.terms[i];
      entry.alpha = value_of(c.alpha);
      entry.kind = with_sign_of(c.alpha, entry.product.kind);
    }
    if (!c.reads_c()) continue;
    const typename N::Out start = c.c[entry.place];
    const EntryKind of_start = kind_of(start);
    if (of_start == EntryKind::finite) entry.addend = value_of(c.beta) * value_of(start);
    entry.kind = sum_of(entry.kind, with_sign_of(c.beta, of_start));
  }
  return entries;
}

template <FloatingPoint T>
bool has_special(const std::vector<T>& x) {
  return std::ranges::any_of(x, [](T each) { return kind_of(each) != EntryKind::finite; });
}
/// Whether infinities or NaNs stand where nothing is to be read.
template <class N>
bool is_poisoned(const Case<N>& c) {
  return (!c.reads_ab() && (has_special(c.a) || has_special(c.b))) || (!c.reads_c() && has_special(c.c));
}

// ------------------------------------------------------------------------------------------------------- the claims

/// The claim judge(got, entry) of every judged entry; a result of another length is violated.
template <class N, class Judge>
EpilogueClaim<N> of_entries(ClaimInfo info, const Judge& judge) {
  info.preconditions = "no infinity or NaN stands where nothing is to be read";
  return {std::move(info),
          [judge](const Case<N>& c, const Truth&, const Result<N>& result) {
            if (result.size() != c.results()) return Judgement::fail();
            Judgement worst;
            worst.judged = 0;
            for (const Entry& entry : entries_of(c)) {
              const std::optional<Judgement> judgement = judge(result[entry.place], entry, c);
              if (!judgement) continue;
              worst.worsen(*judgement);
              ++worst.judged;
            }
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
    Case<N> first;
    first.m = first.n = 1;
    first.k = c.k;
    first.alpha = c.alpha;
    first.beta = c.beta;
    first.c = {c.c.front()};
    for (std::int64_t l = 0; l < c.k; ++l) {
      first.a.push_back(c.a[static_cast<std::size_t>(l)]);
      first.b.push_back(c.b[static_cast<std::size_t>(l * c.n)]);
    }
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

// ------------------------------------------------------------------------------------------------------- the domain

/// Binades between the largest product of the domain, as those of matmul, and the largest result: room for α, β and C.
constexpr int room = 6;
/// |α| and |β| are below 2^largest_scalar.
constexpr int largest_scalar = 3;

template <class N>
MatmulLimits limits_of_product() {
  MatmulLimits limits = limits_of<N>();
  limits.highest_result -= room;
  return limits;
}

/// 1, −1, 0 as often as `zeros` of 16 say, a power of two, or any number.
template <FloatingPoint T>
T draw_scalar(Draw& draw, std::uint64_t zeros) {
  const std::uint64_t kind = draw.below(16);
  if (kind < zeros) return compose<T>(draw.one_in(4), 0, 0);
  switch (draw.below(6)) {
    case 0:
      return -1;
    case 1:
      return draw_number<T>(draw, Significand::power_of_two, draw.between(-4, largest_scalar - 1));
    case 2:
    case 3:
      return draw_number<T>(draw, Significand::any, draw.between(-4, largest_scalar - 1));
    default:
      return 1;
  }
}

/// How C is drawn.
enum class Start {
  near,       ///< of about the magnitude of αAB, or of any other
  cancelling  ///< −αAB/β, or a place beside it
};

template <class N>
void draw_epilogue(Draw& draw, Case<N>& c, Start start) {
  using Out = typename N::Out;
  c.alpha = draw_scalar<typename N::Accumulator>(draw, start == Start::cancelling ? 0 : 2);
  c.beta = draw_scalar<typename N::Accumulator>(draw, start == Start::cancelling ? 0 : 4);
  if (start == Start::cancelling) c.beta = draw.coin() ? 1 : -1;
  const int high = limits_of_product<N>().highest_result - 1;
  const int low = full_box<Out>().low;
  const bool is_wide = draw.one_in(4);
  const int middle = draw.between(-4, 12);
  c.c.resize(c.results());
  for (Out& each : c.c) {
    const int exponent = is_wide ? draw.between(low, high) : std::clamp(middle + draw.between(-2, 2), low, high);
    each = draw_number<Out>(draw, Significand::any, exponent);
  }
  if (start == Start::cancelling) {
    for (const Entry& entry : entries_of(c)) {
      const Dyadic wanted = entry.alpha * entry.product.sum;
      const Out nearest = nearest_to<Out>(c.beta > 0 ? -wanted : wanted);
      c.c[entry.place] = draw.coin() || !in_box(nearest, {low + 1, high - 1}) ? nearest
                                                                              : stepped(nearest, draw.between(-1, 1));
    }
  }
  const typename N::In special = number_of<typename N::In>(format<typename N::In>.nan());
  if (c.alpha == 0 && draw.coin()) std::ranges::fill(draw.coin() ? c.a : c.b, special);
  if (c.beta == 0 && draw.coin()) std::ranges::fill(c.c, number_of<Out>(out<N>.nan()));
}

/// βc lies beside the middle between two numbers of the accumulator, and so does its sum with s: both roundings err by
/// nearly half a place, in one direction. A and B have one term other than 0 in each sum, just above 1.
template <class N>
void draw_two_roundings(Draw& draw, Case<N>& c) {
  using Acc = typename N::Accumulator;
  using In = typename N::In;
  constexpr int p = FloatTraits<Acc>::precision;
  constexpr int half = p / 2;
  constexpr std::uint64_t one = std::uint64_t{1} << (p - 1);
  for (auto* list : {&c.a, &c.b}) std::ranges::fill(*list, In{});
  const auto above_one = compose<In>(false, (std::uint64_t{1} << (FloatTraits<In>::precision - 1)) + 1,
                                     1 - FloatTraits<In>::precision);
  const bool negative = draw.coin();
  for (std::int64_t row = 0; row < c.batch * c.m; ++row) {
    c.a[static_cast<std::size_t>(row * c.k)] = negative ? negated(above_one) : above_one;
  }
  for (std::int64_t p_of = 0; p_of < c.batch; ++p_of) {
    for (std::int64_t j = 0; j < c.n; ++j) c.b[static_cast<std::size_t>(p_of * c.k * c.n + j)] = compose<In>(false, 1, 0);
  }
  // β = 1 + e and c = 2^p(1 − e + t·2^−p) with e = 2^−half and t = e²·2^p + 1: βc/2^p is just above 1 + 2^−p.
  c.alpha = 1;
  c.beta = compose<Acc>(false, one + (std::uint64_t{1} << (p - 1 - half)), 1 - p);
  const std::uint64_t t = (std::uint64_t{1} << (p - 2 * half)) + 1;
  const std::uint64_t below_one = (std::uint64_t{1} << p) - (std::uint64_t{1} << (p - half)) + t;
  c.c.assign(c.results(), nearest_to<typename N::Out>(value_of(compose<Acc>(negative, below_one, 0))));
}

template <class N>
InputClass<Case<N>> class_over(const InputClass<MatmulCase<typename N::In>>& of, std::string name, unsigned weight,
                               void (*epilogue)(Draw&, Case<N>&)) {
  return {std::move(name), weight, rc::Gen<Case<N>>([generator = of.generator, epilogue](const rc::Random& random,
                                                                                         int size) {
            rc::Random parts = random;
            Case<N> c;
            static_cast<MatmulCase<typename N::In>&>(c) = generator(parts.split(), size).value();
            Draw draw(parts);
            if (c.results() == 0 || c.k == 0) {
              c.c.resize(c.results());
            } else {
              epilogue(draw, c);
            }
            return rc::shrinkable::just(std::move(c));
          })};
}

template <class N>
Domain<Case<N>> domain_of() {
  const Domain<MatmulCase<typename N::In>> products = matmul_domain<typename N::In>(limits_of_product<N>());
  const auto near = [](Draw& draw, Case<N>& c) { draw_epilogue(draw, c, Start::near); };
  const auto cancelling = [](Draw& draw, Case<N>& c) { draw_epilogue(draw, c, Start::cancelling); };
  Domain<Case<N>> domain;
  for (const auto& each : products.classes) domain.classes.push_back(class_over<N>(each, each.name, each.weight, near));
  const auto& random = products.classes.front();
  domain.classes.push_back(class_over<N>(random, "the start cancels the product", 8, cancelling));
  if (out<N> == N::accumulator) {
    domain.classes.push_back(class_over<N>(random, "scaling and addition round apart", 3, draw_two_roundings<N>));
  }
  const int highest = limits_of_product<N>().highest_result;
  domain.contains = [products, highest](const Case<N>& c) {
    const auto is_scalar = [](double x) { return std::isfinite(x) && std::abs(x) < (1 << largest_scalar); };
    return products.contains(c) && c.c.size() == c.results() && is_scalar(c.alpha) && is_scalar(c.beta) &&
           std::ranges::all_of(c.c, [&](typename N::Out each) {
             return kind_of(each) != EntryKind::finite || in_box(each, {full_box<typename N::Out>().low, highest - 1});
           });
  };
  domain.axes = [products](const Case<N>& c) {
    Axes axes = products.axes(c);
    axes.lists.push_back({"c", {{"column"}, {"row"}, {"product"}}});
    return axes;
  };
  domain.accepts = products.accepts + "; |alpha|, |beta| < 2^" + std::to_string(largest_scalar) + "; |c| < 2^" +
                   std::to_string(highest);
  return domain;
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
                                            .domain = domain_of<N>(),
                                            .subject = run,
                                            .reference = exact,
                                            .claims = claims_of<N>(question.format, run_again),
                                            .inexact = is_inexact},
               "matmul_epilogue" + suffix_of(question.format), question);
}

struct NamedFormats {
  const char* name;
  std::unique_ptr<PropertyModel> (*property)(const Question& question, const ForeignKernel& kernel);
};
constexpr std::array all_formats{NamedFormats{"f64", property_of<Numbers<double, double>>},
                                 NamedFormats{"f32", property_of<Numbers<float, float>>},
                                 NamedFormats{"bf16", property_of<Numbers<bfloat16, bfloat16>>},
                                 NamedFormats{"bf16:f32", property_of<Numbers<bfloat16, float>>},
                                 NamedFormats{"f16", property_of<Numbers<binary16, binary16>>},
                                 NamedFormats{"f16:f32", property_of<Numbers<binary16, float>>},
                                 NamedFormats{"e4m3:f32", property_of<Numbers<e4m3, float>>},
                                 NamedFormats{"e4m3:bf16", property_of<Numbers<e4m3, bfloat16>>},
                                 NamedFormats{"e5m2:f32", property_of<Numbers<e5m2, float>>}};

std::unique_ptr<PropertyModel> epilogue_property(const Question& question, const ForeignKernel& kernel) {
  for (const NamedFormats& each : all_formats) {
    if (question.format == each.name) return each.property(question, kernel);
  }
  throw std::invalid_argument("no format " + question.format);
}

std::vector<std::string> formats_of(bool any_shape_alone) {
  std::vector<std::string> names;
  for (const NamedFormats& each : all_formats) {
    if (!any_shape_alone || !std::string_view(each.name).starts_with('e')) names.emplace_back(each.name);
  }
  return names;
}

std::vector<Contract> contracts() {
  std::vector<Contract> all{
      {"correctly_rounded",
       &contract_correctly_rounded_1.words,
       {},
       {"faithful", "inner_product", "fma_chain", "tensor_core_hopper", "tf32_hopper", "zeros"}},
      {"faithful", &contract_faithful_1.words, {}, {"zeros"}}};
  for (const MatmulBound& each : matmul_bounds()) {
    all.push_back({each.id, &matmul_epilogue_1.words, instance_of(each), each.implies, true, each.formats});
  }
  all.push_back({"zeros", &matmul_epilogue_2.words, {}, {}, false});
  all.push_back({"exceptional", &matmul_epilogue_3.words, {}, {}, false});
  all.push_back({"alone", &matmul_alone_1.words, {}, {}, false, formats_of(true)});
  all.push_back({"not_read", &matmul_epilogue_4.words, {}, {}, false});
  return all;
}

const OperationRegistration all[] = {OperationRegistration(
    {"matmul_epilogue",
     "D_p = α·A_p·B_p + β·C_p for p < batch, A_p of m × k and B_p of k × n, row-major",
     formats_of(false),
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
}  // namespace assay::contracts
