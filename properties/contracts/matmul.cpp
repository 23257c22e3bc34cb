// D = A·B in mixed formats, as a foreign function computes it.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/matmul_theorems.hpp"
#include "errorbounds/tensor_core_theorems.hpp"
#include "properties/contracts/alone.hpp"
#include "properties/contracts/foreign.hpp"
#include "properties/contracts/inputs.hpp"
#include "properties/contracts/left_out.hpp"
#include "properties/contracts/matmul_bounds.hpp"
#include "properties/contracts/matmul_numbers.hpp"
#include "properties/contracts/matmul_screen.hpp"
#include "properties/contracts/matmul_truth.hpp"
#include "properties/contracts/order_products.hpp"
#include "properties/framework/device_turn.hpp"
#include "properties/framework/operation.hpp"
#include "properties/framework/property.hpp"
#include "properties/framework/shared_function.hpp"

namespace assay::contracts::matmul {
namespace {

using oracle::Dyadic;

template <class N>
using Case = MatmulCase<typename N::In>;
template <class N>
using Result = std::vector<typename N::Out>;
template <class N>
using Truth = MatmulExact<typename N::In>;
template <class N>
using MatmulClaim = Claim<Case<N>, Result<N>, Truth<N>>;

/// The numbers as a foreign function's array has them.
template <class N>
std::vector<typename N::InArray> array_of(const std::vector<typename N::In>& x) {
  if constexpr (N::integers) {
    std::vector<typename N::InArray> integers;
    for (const auto& each : x) integers.push_back(static_cast<typename N::InArray>(each));
    return integers;
  } else {
    return x;
  }
}

/// What stood in the array of the results before the call: a NaN, or the integer 0x55555555.
template <class N>
typename N::OutArray unwritten() {
  if constexpr (N::integers) {
    return 0x55555555;
  } else {
    return number_of<typename N::Out>(out<N>.nan());
  }
}

/// The call of a function for C.
template <class N>
Result<N> called(const ForeignKernel& kernel, const Executor& on, const Case<N>& c) {
  using In = typename N::InArray;
  using Out = typename N::OutArray;
  thread_local std::array<FencedMemory, 3> memory;
  const std::vector<In> all_of_a = array_of<N>(c.a);
  const std::vector<In> all_of_b = array_of<N>(c.b);
  const FencedArray<In> a(memory[0], on, all_of_a);
  const FencedArray<In> b(memory[1], on, all_of_b);
  const FencedArray<Out> result(memory[2], on, std::vector<Out>(c.results(), unwritten<N>()));
  const auto size = [](std::int64_t x) { return static_cast<std::size_t>(x); };
  const auto call = [&](auto... behind) {
    using Size = std::size_t;
    function<void(Size, Size, Size, Size, const In*, const In*, Out*, decltype(behind)...)>(kernel)(
        size(c.batch), size(c.m), size(c.n), size(c.k), a.data(), b.data(), result.data(), behind...);
  };
  if (kernel.form == CallForm::device) {
    call(static_cast<void*>(nullptr));
  } else {
    call();
  }
  finish(on, 0);
  check_input(a, on, all_of_a, "a");
  check_input(b, on, all_of_b, "b");
  const std::vector<Out> got = result.take(on);
  return Result<N>(got.begin(), got.end());
}

/// The answers of a program. Integers travel in the width of their arrays.
template <class N>
std::vector<Result<N>> answered(ForeignProgram& program, const Executor& on, std::span<const Case<N>> cases) {
  if constexpr (N::integers) {
    std::vector<Record> records;
    std::vector<std::size_t> numbers;
    for (const Case<N>& each : cases) {
      Record& record = records.emplace_back(record_of(each));
      for (FieldValue& field : record.fields) {
        auto* const words = std::get_if<Words>(&field.value);
        if (words == nullptr) continue;
        words->format = oracle::e5m2;  // any of 8 bits: the patterns alone travel
        for (std::uint64_t& bits : words->bits) {
          bits = static_cast<std::uint8_t>(static_cast<std::int8_t>(number_of<float>(bits)));
        }
      }
      numbers.push_back(each.results());
    }
    const std::vector<std::uint64_t> patterns = computed(program, on, records, numbers, oracle::binary32);
    std::vector<Result<N>> results;
    std::size_t at = 0;
    for (const Case<N>& each : cases) {
      Result<N>& result = results.emplace_back();
      for (std::size_t i = 0; i < each.results(); ++i) {
        result.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(patterns[at++])));
      }
    }
    return results;
  } else {
    return results_of<typename N::Out>(program, on, cases, [](const Case<N>& each) { return each.results(); });
  }
}

/// What the control writes to every entry.
template <class N>
Result<N> controlled(Control control, const Case<N>& c) {
  using Out = typename N::Out;
  thread_local Out last{};
  const auto nearest = [](const Dyadic& x) {
    return number_of<Out>(oracle::round(x, out<N>, oracle::Rounding::nearest));
  };
  const auto same = [&](double x) { return Result<N>(c.results(), static_cast<Out>(x)); };
  switch (control) {
    case Control::zeros:
      return same(0);
    case Control::ones:
      return same(1);
    case Control::nan:
      return Result<N>(c.results(), number_of<Out>(out<N>.nan()));
    case Control::unwritten:
      return Result<N>(c.results(), static_cast<Out>(unwritten<N>()));
    case Control::copy:
      return same(c.a.empty() ? 0 : static_cast<double>(c.a.front()));
    case Control::first_term:
    case Control::previous:
    case Control::last_product:
      break;
  }
  Case<N> asked = c;
  if (control == Control::first_term && c.k > 1) {
    asked = {c.batch, c.m, c.n, 1, {}, {}};
    for (std::int64_t row = 0; row < c.batch * c.m; ++row) asked.a.push_back(c.a[static_cast<std::size_t>(row * c.k)]);
    for (std::int64_t p = 0; p < c.batch; ++p) {
      const auto row = c.b.begin() + static_cast<std::ptrdiff_t>(p * c.k * c.n);
      asked.b.insert(asked.b.end(), row, row + static_cast<std::ptrdiff_t>(c.n));
    }
  }
  const MatmulTruth truth = matmul_truth(asked);
  Result<N> result(c.results());
  for (std::size_t i = 0; i < truth.entries.size(); ++i) {
    Out& entry = result[truth.entries[i].place];
    entry = nearest(truth.terms[i].sum);
    if (control == Control::previous) std::swap(entry, last);
    const std::size_t of_one = static_cast<std::size_t>(c.m * c.n);
    if (control == Control::last_product && truth.entries[i].p == c.batch - 1)
      entry = result[truth.entries[i].place % of_one];
  }
  return result;
}

template <class N>
MatmulSum sum_of(const Case<N>& c, const MatmulTerms& terms) {
  return {static_cast<std::uint64_t>(c.k), terms, N::accumulator, out<N>, format_of<typename N::In>()};
}

template <class N>
const int bits_of_sums = bits_of_partial_sums(format_of<typename N::In>(), N::accumulator, out<N>);

/// The claim that judge(got, terms, place) decides for every finite entry. clear(got, entry): as judge_entries has it.
/// stays: null where every entry is judged that is not clear.
template <class N, class Clear, class Judge>
auto of_finite_entries(const Clear& clear, const Judge& judge, Stays stays = nullptr) {
  return [=](const Case<N>& c, const Truth<N>&, const Result<N>& result) {
    if (result.size() != c.results()) return Judgement::fail();
    return judge_entries(
        c, false, [&](const EnclosedEntry& entry) { return clear(in_binary64(result[entry.place]), entry); },
        [&](const MatmulTerms& terms, std::size_t place) { return judge(result[place], sum_of<N>(c, terms), place); },
        [&](const Judgement& worst, const MatmulTerms& terms, double sum, std::size_t place) {
          return stays != nullptr &&
                 stays(worst, in_binary64(result[place]), near_of(terms.sum, sum, out<N>), out<N>, place);
        });
  };
}

/// The error of every finite entry is within the bound, and 0 where the entry is on a grid.
template <class N>
MatmulClaim<N> entry_within(const MatmulBound& bound) {
  const auto judge = [&bound](const Case<N>& c, const Truth<N>&, const Result<N>& result) {
    if (result.size() != c.results()) return Judgement::fail();
    BoundFloor floor(bound, static_cast<std::uint64_t>(c.k), N::accumulator, out<N>);
    const auto clear = [&](const EnclosedEntry& entry) {
      const double got = in_binary64(result[entry.place]);
      const double error = error_of(got, entry);
      if (!is_off_grid(entry, bits_of_sums<N>)) return is_the_multiple(got, error, entry.grid) ? 0.0 : -1.0;
      const double least = floor(entry.magnitude, std::abs(entry.value) - entry.radius);
      return error <= least ? error / least : -1;
    };
    return judge_entries(c, true, clear, [&](const MatmulTerms& terms, std::size_t place) {
      return judge_entry(bound, sum_of<N>(c, terms), bits_of(result[place]), place).value_or(Judgement::pass());
    });
  };
  ClaimSpec<decltype(judge)> claim{claim_info(bound.id, *bound.theorem), judge};
  return *bound.instance == '\0' ? claim : of_instance(bound.instance, std::move(claim));
}

/// Data so short that every correct kernel computes the exact result: this kernel must compute it, too.
template <class N>
MatmulClaim<N> exact_grid() {
  return claim_spec("exact_grid", matmul_exact_grid_1,
                    of_finite_entries<N>(
                        [](double got, const EnclosedEntry& entry) {
                          const bool is_kept = is_off_grid(entry, bits_of_sums<N>) ||
                                               is_the_multiple(got, error_of(got, entry), entry.grid);
                          return is_kept ? 0.0 : -1.0;
                        },
                        [](typename N::Out got, const MatmulSum& sum, std::size_t place) {
                          if (!is_on_grid(sum)) return Judgement::pass();
                          return oracle::is_finite(out<N>, bits_of(got))
                                     ? judge_exact(value_of(got), sum.terms.sum, place)
                                     : Judgement::fail(place);
                        }));
}

template <class N>
MatmulClaim<N> finite_entries() {
  return claim_spec(
      "finite", matmul_finite_1,
      of_finite_entries<N>([](double got, const EnclosedEntry&) { return std::isfinite(got) ? 0.0 : -1.0; },
                           [](typename N::Out got, const MatmulSum& sum, std::size_t place) {
                             return Judgement::of(oracle::is_finite(out<N>, bits_of(got)) || !stays_finite(sum), place);
                           }));
}

template <class N>
MatmulClaim<N> correctly_rounded() {
  return claim_spec("correctly_rounded", contract_correctly_rounded_1,
                    of_finite_entries<N>(
                        [](double got, const EnclosedEntry& entry) {
                          const double half = gap_at(got, out<N>) / 2;
                          const double error = error_of(got, entry);
                          return error < half ? error / half : -1;
                        },
                        [](typename N::Out got, const MatmulSum& sum, std::size_t place) {
                          return judge_rounded(bits_of(got), sum.terms.sum, out<N>, oracle::Rounding::nearest,
                                               {.negative_zero = oracle::is_negative(out<N>, bits_of(got))}, place);
                        },
                        stays_worst_rounded));
}

template <class N>
MatmulClaim<N> faithful_entries() {
  return claim_spec("faithful", contract_faithful_1,
                    of_finite_entries<N>(
                        [](double got, const EnclosedEntry& entry) {
                          const double gap = gap_at(got, out<N>);
                          const double error = error_of(got, entry);
                          return error < gap ? error / gap : -1;
                        },
                        [](typename N::Out got, const MatmulSum& sum, std::size_t place) {
                          return judge_faithful(bits_of(got), oracle::Exact(sum.terms.sum), out<N>, place);
                        },
                        stays_worst_faithful));
}

template <class N>
MatmulClaim<N> exact_entries() {
  return claim_spec("exact", tensor_core_integer_2,
                    of_finite_entries<N>(
                        [](double got, const EnclosedEntry& entry) {
                          return is_the_multiple(got, error_of(got, entry), entry.grid) ? 0.0 : -1.0;
                        },
                        [](typename N::Out got, const MatmulSum& sum, std::size_t place) {
                          return oracle::is_finite(out<N>, bits_of(got))
                                     ? judge_exact(value_of(got), sum.terms.sum, place)
                                     : Judgement::fail(place);
                        }));
}

template <class N>
MatmulClaim<N> zero_entries() {
  return claim_spec(
      "zeros", matmul_zeros_1,
      of_finite_entries<N>([](double, const EnclosedEntry& entry) { return entry.magnitude > 0 ? 0.0 : -1.0; },
                           [](typename N::Out got, const MatmulSum& sum, std::size_t place) {
                             const bool is_zero = (bits_of(got) & ~out<N>.sign_mask()) == 0;
                             return Judgement::of(!sum.terms.magnitudes.is_zero() || is_zero, place);
                           }));
}

template <class N>
MatmulClaim<N> exceptional_entries() {
  return claim_spec(
      "exceptional", matmul_exceptional_1, [](const Case<N>& c, const Truth<N>&, const Result<N>& result) {
        if (result.size() != c.results()) return Judgement::fail();
        return judge_special_entries(
            c, [&](EntryKind kind, std::size_t place) { return judge_special<N>(kind, result[place], place); });
      });
}

/// Runs the kernel once.
template <class N>
using Run = RunOf<Case<N>, Result<N>>;

/// A few entries have the same bits without the rows, columns and products beside them, and rows in every batch. A NaN
/// is any NaN.
template <class N>
MatmulClaim<N> same_in_batches(Run<N> run, std::size_t most) {
  return claim_spec("batch_invariant", matmul_alone_1,
                    [run, most](const Case<N>& c, const Truth<N>&, const Result<N>& result) {
                      if (c.results() == 0) return Judgement::pass();
                      if (result.size() != c.results()) return Judgement::fail();
                      const std::vector<std::size_t> places = places_to_ask_alone(c);
                      std::vector<Case<N>> entries;
                      for (const std::size_t place : places) entries.push_back(c.entry_alone(place));
                      const Judgement entry = judge_alone(run, entries, places, result);
                      if (entry.verdict != Verdict::holds) return entry;
                      AskedOrderOf<OrderOfProduct<N>, Case<N>, Result<N>> asked(run, c, result);
                      return judge_batches(asked, most);
                    });
}

template <class N>
std::vector<MatmulClaim<N>> claims_of(const Question& question, const ForeignKernel& kernel, const Run<N>& run) {
  std::vector<MatmulClaim<N>> claims;
  if constexpr (N::integers) {
    claims = {exact_entries<N>()};
  } else {
    claims = {correctly_rounded<N>(), faithful_entries<N>()};
    for (const MatmulBound& each : matmul_bounds()) {
      if (std::ranges::find(each.formats, question.format) != each.formats.end())
        claims.push_back(entry_within<N>(each));
    }
    claims.push_back(exact_grid<N>());
    claims.push_back(finite_entries<N>());
    claims.push_back(zero_entries<N>());
    claims.push_back(exceptional_entries<N>());
  }
  if (limits_of<N>().multiple_of == 1) {
    claims.push_back(same_in_batches<N>(run, most_in_batch(kernel)));
    append_order<OrderOfProduct<N>>(claims, question, kernel, run);
  }
  return claims;
}

/// Integers are exact by promise: there the question is whether there was anything to add.
template <class N>
bool is_inexact(const Case<N>& c, const Truth<N>&, const Result<N>& result) {
  if constexpr (N::integers) return c.k > 0 && c.results() > 0;
  if (result.size() != c.results()) return false;
  const std::optional<bool> shown = is_shown_inexact(c, [&](const EnclosedEntry& entry) {
    const double got = in_binary64(result[entry.place]);
    return std::isfinite(got) ? is_another_number(got, entry) : std::optional(false);
  });
  if (shown) return *shown;
  const MatmulTruth& truth = matmul_truth(c);
  for (std::size_t i = 0; i < truth.entries.size(); ++i) {
    const auto got = result[truth.entries[i].place];
    if (truth.terms[i].kind == EntryKind::finite && oracle::is_finite(out<N>, bits_of(got)) &&
        value_of(got) != truth.terms[i].sum) {
      return true;
    }
  }
  return false;
}

template <class N>
std::unique_ptr<PropertyModel> property_of(const Question& question, const ForeignKernel& kernel) {
  const auto run = [kernel](const Executor& on, std::span<const Case<N>> cases) {
    if (kernel.program != nullptr) return answered<N>(*kernel.program, on, cases);
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
  return asked(Property<Case<N>, Result<N>, Truth<N>>{.name = {},
                                                      .domain = matmul_domain<typename N::In>(limits_of<N>()),
                                                      .subject = run,
                                                      .reference = [](const Case<N>& c) { return Truth<N>(c); },
                                                      .claims = claims_of<N>(question, kernel, run_again),
                                                      .inexact = is_inexact<N>},
               "matmul" + suffix_of(question.format), question);
}

std::unique_ptr<PropertyModel> matmul_property(const Question& question, const ForeignKernel& kernel) {
  if (question.format == format_of_integers) return property_of<Integers>(question, kernel);
  std::unique_ptr<PropertyModel> property;
  for_each_float_format([&]<class N>(const std::string& name, N) {
    if (question.format == name) property = property_of<N>(question, kernel);
  });
  if (property == nullptr) throw std::invalid_argument("no format " + question.format);
  return property;
}

/// Those formats, and that of integers.
std::vector<std::string> with_integers(std::vector<std::string> names) {
  names.emplace_back(format_of_integers);
  return names;
}

std::vector<Contract> contracts() {
  std::vector<Contract> all{
      {"exact", &tensor_core_integer_2.words, {}, {}, true, with_integers({})},
      {"correctly_rounded",
       &contract_correctly_rounded_1.words,
       {},
       {"faithful", "inner_product", "fma_chain", "tensor_core_hopper", "tf32_hopper", "zeros"},
       true,
       float_formats()},
      {"faithful", &contract_faithful_1.words, {}, {"zeros", "exact_grid", "finite"}, true, float_formats()}};
  for (const MatmulBound& each : matmul_bounds()) {
    all.push_back({each.id, each.theorem, each.instance, each.implies, true, each.formats});
  }
  all.push_back({"exact_grid", &matmul_exact_grid_1.words, {}, {}, true, float_formats()});
  all.push_back({"finite", &matmul_finite_1.words, {}, {}, false, float_formats()});
  all.push_back({"zeros", &matmul_zeros_1.words, {}, {}, false, float_formats()});
  all.push_back({"exceptional", &matmul_exceptional_1.words, {}, {}, false, float_formats()});
  all.push_back({"batch_invariant", &matmul_alone_1.words, {}, {}, false, with_integers(formats_of_any_shape())});
  // Their bounds are larger than those of the stronger contracts beside them by a few parts in a hundred, or, for tf32,
  // by less than the rounding of a factor.
  return leaving_out(with_order(std::move(all), with_integers(formats_of_any_shape())),
                     {"split_k_hopper", "split_k", "tf32"});
}

const OperationRegistration all[] = {OperationRegistration(
    {"matmul",
     "D_p = A_p·B_p for p < batch, A_p of m × k and B_p of k × n, row-major",
     with_integers(float_formats()),
     {{CallForm::plain,
       "void f(size_t batch, size_t m, size_t n, size_t k, const T* a, const T* b, R* d), with R for the result type"},
      {CallForm::device,
       "void f(size_t batch, size_t m, size_t n, size_t k, const T* a, const T* b, R* d, void* stream)"}},
     contracts(),
     matmul_property,
     false,
     true})};

}  // namespace
}  // namespace assay::contracts::matmul
