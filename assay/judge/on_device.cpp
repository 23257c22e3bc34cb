// Products that are judged where they lie, in the memory of a device.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "assay/judge/on_device.hpp"
#include "oracle/decimal.hpp"
#include "oracle/decode.hpp"
#include "properties/formulas/door/attention.hpp"

namespace assay::judge {

enclosures::ElementType element_of(const assay_tensor& tensor, const char* name) {
  using enclosures::ElementType;
  constexpr std::tuple<int, int, ElementType> types[] = {
      {ASSAY_FLOAT, 64, ElementType::binary64}, {ASSAY_FLOAT, 32, ElementType::binary32},
      {ASSAY_FLOAT, 16, ElementType::binary16}, {ASSAY_BFLOAT, 16, ElementType::bfloat16},
      {ASSAY_E4M3FN, 8, ElementType::e4m3},     {ASSAY_E5M2, 8, ElementType::e5m2}};
  for (const auto& [code, bits, type] : types) {
    if (tensor.code == code && tensor.bits == bits) return type;
  }
  throw std::invalid_argument(std::string(name) + ": numbers of a type that no product has on a device");
}

std::string format_of(enclosures::ElementType type) {
  constexpr std::array names{"f64", "f32", "f16", "bf16", "e4m3", "e5m2"};
  return names[static_cast<std::size_t>(type)];
}

void require_fit(bool fits, const char* what) {
  if (!fits) throw enclosures::NoDevice(std::string(what) + " are judged on the host alone");
}

assay_tensor on_host(const assay_tensor& like, std::byte* data, std::span<const std::int64_t> shape,
                     std::span<const std::int64_t> strides) {
  assay_tensor tensor = like;
  tensor.data = data;
  tensor.ndim = static_cast<std::int32_t>(shape.size());
  tensor.shape = shape.data();
  tensor.strides = strides.data();
  return tensor;
}

std::vector<std::byte> copied(const void* data, std::int64_t first, std::int64_t count, std::size_t width) {
  std::vector<std::byte> copy(static_cast<std::size_t>(count) * width);
  enclosures::read_device(reinterpret_cast<std::uint64_t>(data) + static_cast<std::uint64_t>(first) * width,
                          copy.data(), copy.size());
  return copy;
}

assay_verdict verdict_of_first(assay_judge& judge, std::size_t claim, const enclosures::ScreenedProduct::First& first,
                               double ratio) {
  std::ostringstream radius;
  radius << first.radius;
  judge.in_place.exact =
      oracle::decimal(oracle::exact(first.value) + oracle::exact(first.low), 20) + " +/- " + radius.str();
  std::array<char, 40> hexadecimal{};
  std::snprintf(hexadecimal.data(), hexadecimal.size(), "%a", first.got);
  judge.in_place.got = hexadecimal.data();
  const ClaimInfo& info = judge.info().claims[claim];
  assay_verdict verdict{};
  verdict.verdict = ASSAY_KEPT;
  verdict.ratio = ratio;
  verdict.exact = judge.in_place.exact.c_str();
  verdict.got = judge.in_place.got.c_str();
  verdict.ulps = std::numeric_limits<double>::quiet_NaN();
  verdict.statement = info.statement.c_str();
  verdict.source = info.source.c_str();
  verdict.preconditions = "";
  verdict.bound = std::numeric_limits<double>::quiet_NaN();
  verdict.derivation = "";
  return verdict;
}

namespace {

using enclosures::DeviceMatrix;
using enclosures::DeviceProduct;
using enclosures::ElementType;
using enclosures::ScreenedProduct;
using Places = std::vector<std::size_t>;

constexpr std::size_t most_broken = 64;                               // entries that are worth to be counted
constexpr std::size_t most_exactly = 1024;                            // entries that no enclosure decides
constexpr std::int64_t most_terms_of_sample = std::int64_t{1} << 20;  // of an entry that is judged without need
constexpr std::size_t size_of_sample = 8;                             // entries that are judged exactly in any case
constexpr std::size_t most_gathered = 1 << 26;                        // bytes of terms that are copied at a time

/// The name of the format of such a product: "IN:OUT", or "IN" where both are the same.
std::string format_of(const DeviceProduct& product) {
  const std::string name = judge::format_of(product.factors);
  return product.factors == product.results ? name : name + ":" + judge::format_of(product.results);
}

/// A vector as the only row or, with its steps exchanged, the only column of a matrix.
DeviceMatrix row_of(const assay_tensor& tensor, const char* name) {
  const Layout layout = layout_of(tensor);
  if (tensor.ndim != 1) {
    throw std::invalid_argument(std::string(name) + ": it has shape " + text_of(layout.shape) +
                                ", not that of a vector");
  }
  return {reinterpret_cast<std::uint64_t>(tensor.data), 0, 0, layout.strides[0]};
}

/// A sum or a dot product of vectors.
DeviceProduct sum_of(EntryTerms terms, std::span<const assay_tensor> arguments, const assay_tensor& result) {
  const bool is_dot = terms == EntryTerms::dot;
  if (arguments.size() != (is_dot ? 2 : 1)) {
    throw std::invalid_argument(is_dot ? "it takes two arguments: x and y" : "it takes one argument: x");
  }
  if (result.ndim != 0) throw std::invalid_argument("result: it has shape " + text_of(shape_of(result)) + ", not ()");
  const DeviceMatrix x = row_of(arguments[0], "x");
  DeviceMatrix y{};
  if (is_dot) {
    y = row_of(arguments[1], "y");
    std::swap(y.row_step, y.column_step);
  }
  const std::int64_t n = arguments[0].shape[0];
  if (is_dot && arguments[1].shape[0] != n) throw std::invalid_argument("x and y: vectors of different lengths");
  if (n == 0) throw std::invalid_argument("x: an empty sum is judged on the host");
  const ElementType factors = element_of(arguments[0], "x");
  if (is_dot && element_of(arguments[1], "y") != factors) {
    throw std::invalid_argument("y: numbers of another type than x");
  }
  return {
      1, 1, 1, n, factors, element_of(result, "got"), x, y, {reinterpret_cast<std::uint64_t>(result.data), 0, 0, 0}};
}

/// Sides of a matrix or of several: batch, rows, columns.
struct Sides {
  std::int64_t batch, rows, columns;
};
std::pair<Sides, DeviceMatrix> matrix_of(const assay_tensor& tensor, const char* name) {
  const Layout layout = layout_of(tensor);
  if (tensor.ndim != 2 && tensor.ndim != 3) {
    throw std::invalid_argument(std::string(name) + ": it has shape " + text_of(layout.shape) +
                                ", not that of a matrix or of several");
  }
  const std::size_t first = layout.shape.size() - 2;
  return {{first == 0 ? 1 : layout.shape[0], layout.shape[first], layout.shape[first + 1]},
          {reinterpret_cast<std::uint64_t>(tensor.data), first == 0 ? 0 : layout.strides[0], layout.strides[first],
           layout.strides[first + 1]}};
}

DeviceProduct product_of(std::span<const assay_tensor> arguments, const assay_tensor& result) {
  if (arguments.size() != 2) throw std::invalid_argument("on a device a product takes two arguments: A and B");
  const auto [of_a, a] = matrix_of(arguments[0], "a");
  const auto [of_b, b] = matrix_of(arguments[1], "b");
  const auto [of_got, got] = matrix_of(result, "got");
  if (of_a.columns != of_b.rows || of_a.batch != of_b.batch) {
    throw std::invalid_argument("a and b: shapes " + text_of(shape_of(arguments[0])) + " and " +
                                text_of(shape_of(arguments[1])) + " make no product");
  }
  if (of_got.batch != of_a.batch || of_got.rows != of_a.rows || of_got.columns != of_b.columns) {
    throw std::invalid_argument("result: it has shape " + text_of(shape_of(result)) + ", which a and b do not make");
  }
  if (of_a.batch * of_a.rows * of_b.columns == 0 || of_a.columns == 0) {
    throw std::invalid_argument("a and b: an empty product is judged on the host");
  }
  const ElementType factors = element_of(arguments[0], "a");
  if (element_of(arguments[1], "b") != factors) throw std::invalid_argument("b: numbers of another type than a");
  return {of_a.batch, of_a.rows, of_b.columns, of_a.columns, factors, element_of(result, "got"), a, b, got};
}

/// The exact judgments of single entries.
class ExactEntries {
 public:
  ExactEntries(assay_judge& judge, EntryTerms terms, const enclosures::ProductScreen& screen,
               const DeviceProduct& product, std::span<const assay_tensor> arguments, const assay_tensor& result)
      : judge_(judge),
        terms_(terms),
        prototype_(prototype_of(judge)),
        screen_(screen),
        product_(product),
        like_{arguments.front(), arguments.back(), result} {}

  /// Judges these entries until many have broken the contract. Returns how many were judged.
  std::size_t judge(const Places& places, const Contract& contract) {
    const std::size_t of_one = 2 * static_cast<std::size_t>(product_.k) * enclosures::bytes_of(product_.factors);
    const std::size_t at_a_time = std::max<std::size_t>(1, most_gathered / of_one);
    std::size_t judged = 0;
    while (judged < places.size() && broken_ < most_broken) {
      const auto begin = places.begin() + static_cast<std::ptrdiff_t>(judged);
      const Places some(begin, begin + static_cast<std::ptrdiff_t>(std::min(at_a_time, places.size() - judged)));
      enclosures::GatheredEntries terms = screen_.gather(some);
      for (std::size_t i = 0; i < some.size() && broken_ < most_broken; ++i, ++judged) {
        judge_one(some[i], contract, terms.factors.data() + i * of_one,
                  terms.results.data() + i * enclosures::bytes_of(product_.results));
      }
    }
    return judged;
  }

  [[nodiscard]] bool has_judged() const { return case_ != nullptr; }
  [[nodiscard]] std::size_t broken() const { return broken_; }
  [[nodiscard]] std::size_t decided() const { return decided_; }
  /// The judgment with the largest share of its bound, of one that is broken if there is one; its component is a place.
  [[nodiscard]] const assay_verdict& worst() const { return worst_; }
  /// The texts of the worst one.
  [[nodiscard]] std::shared_ptr<assay_case> take() { return std::move(case_); }

 private:
  void judge_one(std::size_t place, const Contract& contract, std::byte* factors, std::byte* result) {
    const std::size_t bytes = static_cast<std::size_t>(product_.k) * enclosures::bytes_of(product_.factors);
    std::unique_ptr<assay_case> of;
    if (terms_ == EntryTerms::matrix_product) {
      // Libraries have products of 8-bit numbers in multiples of 16 alone: there the entry is repeated.
      const std::int64_t side = enclosures::bytes_of(product_.factors) == 1 ? 16 : 1;
      const std::array<std::int64_t, 2> of_a{side, product_.k};
      const std::array<std::int64_t, 2> of_b{product_.k, side};
      const std::array<std::int64_t, 2> of_got{side, side};
      constexpr std::array<std::int64_t, 2> repeated_rows{0, 1};
      constexpr std::array<std::int64_t, 2> repeated_columns{1, 0};
      constexpr std::array<std::int64_t, 2> repeated{0, 0};
      const std::array given{on_host(like_[0], factors, of_a, repeated_rows),
                             on_host(like_[1], factors + bytes, of_b, repeated_columns)};
      of = case_of(judge_, prototype_, given);
      judge_.kernel->answer(of->record, bits_of_result(*of, on_host(like_[2], result, of_got, repeated)));
    } else {
      const std::array<std::int64_t, 1> length{product_.k};
      constexpr std::array<std::int64_t, 1> step{1};
      const std::array given{on_host(like_[0], factors, length, step),
                             on_host(like_[1], factors + bytes, length, step)};
      of = case_of(judge_, prototype_, std::span(given).first(terms_ == EntryTerms::dot ? 2 : 1));
      judge_.kernel->answer(of->record, bits_of_result(*of, on_host(like_[2], result, {}, {})));
    }
    assay_verdict verdict{};
    verdict.struct_size = sizeof verdict;
    const std::array told{&verdict};
    judge_case(*of, told, &contract);
    const auto rank = [](const assay_verdict& each) {
      return each.verdict == ASSAY_BROKEN ? 2 : each.verdict == ASSAY_KEPT ? 1 : 0;
    };
    if (rank(verdict) != 0) ++decided_;
    if (rank(verdict) == 2) ++broken_;
    if (case_ != nullptr && std::pair(rank(verdict), verdict.ratio) <= std::pair(rank(worst_), worst_.ratio)) return;
    verdict.component = place;
    worst_ = verdict;
    case_ = std::move(of);
  }

  assay_judge& judge_;
  EntryTerms terms_;
  Record prototype_;
  const enclosures::ProductScreen& screen_;
  const DeviceProduct& product_;
  std::array<assay_tensor, 3> like_;
  assay_verdict worst_{};
  std::shared_ptr<assay_case> case_{};
  std::size_t decided_ = 0;
  std::size_t broken_ = 0;
};

/// Places all over the result, the last among them.
Places sample_of(std::size_t entries, std::uint64_t seed) {
  Places places{entries - 1};
  SamplePlaces others(seed);
  while (places.size() < std::min(size_of_sample, entries)) places.push_back(others.next(entries));
  return places;
}

}  // namespace

assay_verdict verdict_with_specials(assay_judge& judge, assay_case& of, const std::vector<std::uint64_t>& bits,
                                    const Contract& contract) {
  const auto verdict_by = [&](const Contract& each) {
    judge.kernel->answer(of.record, bits);
    assay_verdict verdict{};
    verdict.struct_size = sizeof verdict;
    const std::array told{&verdict};
    judge_case(of, told, &each);
    return verdict;
  };
  const assay_verdict verdict = verdict_by(contract);
  if (verdict.verdict != ASSAY_NO_CLAIM || !contract.is_about_error) return verdict;
  const assay_verdict of_special = verdict_by(*judge.operation.find("exceptional"));
  return of_special.verdict == ASSAY_NO_CLAIM ? verdict_by(contract) : of_special;
}

assay_verdict verdict_of_device(const assay_judge& judge, const Contract& contract, double nearest) {
  const ClaimInfo& info = judge.info().claims[judge.claim(contract.id)];
  assay_verdict verdict{};
  verdict.ratio = nearest;
  verdict.exact = verdict.got = verdict.preconditions = verdict.derivation = "";
  verdict.ulps = verdict.bound = std::numeric_limits<double>::quiet_NaN();
  verdict.statement = info.statement.c_str();
  verdict.source = info.source.c_str();
  return verdict;
}

assay_verdict verdict_of_refuted(assay_judge& judge, const Contract& contract, const enclosures::Refuted& worst,
                                 std::int64_t first) {
  // With room for what the few digits leave out.
  const double radius = 1.1 * (worst.radius + 1e-11 * std::abs(worst.value));
  std::ostringstream exact;
  exact << std::setprecision(12) << worst.value << " +/- " << std::setprecision(2) << radius;
  judge.in_place.exact = exact.str();
  std::array<char, 40> hexadecimal{};
  std::snprintf(hexadecimal.data(), hexadecimal.size(), "%a", worst.got);
  judge.in_place.got = std::isfinite(worst.got) ? hexadecimal.data() : std::to_string(worst.got);
  assay_verdict verdict = verdict_of_device(judge, contract, worst.ratio);
  verdict.verdict = ASSAY_BROKEN;
  verdict.exact = judge.in_place.exact.c_str();
  verdict.got = judge.in_place.got.c_str();
  verdict.bound = worst.bound;
  verdict.component = static_cast<std::size_t>(first + worst.column);
  return verdict;
}

bool is_no_worse(const assay_verdict& one, const assay_verdict& other) {
  const auto rank = [](const assay_verdict& each) {
    static constexpr std::array ranks{ASSAY_NO_CLAIM, ASSAY_KEPT, ASSAY_UNDECIDED, ASSAY_BROKEN};
    return std::ranges::find(ranks, each.verdict) - ranks.begin();
  };
  return std::pair(rank(one), one.ratio) <= std::pair(rank(other), other.ratio);
}

}  // namespace assay::judge

assay_status assay_judge_on_device(assay_judge* judge, const assay_tensor* arguments, size_t count,
                                   const assay_tensor* result, const char* contract, assay_verdict* verdict) {
  using namespace assay;
  using namespace assay::judge;
  return guarded([&] {
    require(judge, "judge");
    require(arguments, "arguments");
    require(result, "result");
    require(contract, "contract");
    const std::size_t claim = judge->claim(contract);
    const Operation& operation = judge->operation;
    const std::vector<assay_tensor> given = taken(arguments, count);
    const assay_tensor got = taken(result, 1).front();
    if (judge->formula) {
      const formulas::Formula& formula = judge->formula->formula();
      const bool is_attention = formulas::is_causal_attention(formula) || formulas::gradient_of_attention(formula);
      const auto judged = is_attention ? judged_attention : judged_elementwise;
      return give(judged(*judge, given, got, *operation.find(contract)), verdict);
    }
    if (const RowRules* const rows = row_rules(operation.name)) {
      return give(judged_rows(*judge, *rows, given, got, *operation.find(contract)), verdict);
    }
    if (const PrefixRules prefixes = prefix_rules(operation.name)) {
      return give(judged_prefixes(*judge, prefixes, given, got, *operation.find(contract)), verdict);
    }
    if (const SparseRules rows = judge->formula ? nullptr : sparse_rules(operation.name)) {
      return give(judged_sparse(*judge, rows, given, got, *operation.find(contract)), verdict);
    }
    const EntryRules* const rules = entry_rules(operation.name);
    if (rules == nullptr) throw enclosures::NoDevice(operation.name + ": it is judged on the host alone");
    const DeviceProduct product =
        rules->terms == EntryTerms::matrix_product ? product_of(given, got) : sum_of(rules->terms, given, got);
    if (product.k >= std::int64_t{1} << 32) throw std::invalid_argument("2^32 terms of an entry or more");
    const auto rule = rules->rule(contract, judge->question.format, static_cast<std::uint64_t>(product.k));
    if (!rule) throw enclosures::NoDevice(operation.name + ": " + contract + " is judged on the host alone");
    // No exact judgment may follow that looks at the types.
    if (format_of(product) != judge->question.format) {
      throw std::invalid_argument("arrays of the format " + format_of(product) + ", where the judge has " +
                                  judge->question.format);
    }

    const enclosures::ProductScreen screen(product);
    ExactEntries exactly(*judge, rules->terms, screen, product, given, got);
    const Contract& asked = *operation.find(contract);
    const ScreenedProduct found = screen.screen(*rule, most_exactly);
    const std::size_t of_open = exactly.judge(found.open_places, asked);
    Places some = sample_of(found.entries, judge->seed);
    some.insert(some.end(), found.nearest_places.begin(), found.nearest_places.end());
    const bool is_sampled = product.k <= most_terms_of_sample || !found.first;
    if (exactly.broken() == 0 && is_sampled) exactly.judge(some, asked);
    std::size_t judged = found.entries - found.special - found.open + of_open;
    // A contract about an error is kept only where infinities and NaNs give what IEEE arithmetic does.
    const Contract* const exceptional = operation.find("exceptional");
    if (found.special != 0 && asked.is_about_error && exceptional != nullptr && exactly.broken() == 0) {
      if (const auto of_special = rules->rule(exceptional->id, judge->question.format, 1)) {
        const ScreenedProduct special = screen.screen(*of_special, most_exactly);
        judged += found.special - special.open + exactly.judge(special.open_places, *exceptional);
      } else {
        judged += exactly.judge({0}, *exceptional);
      }
    }
    // What is known of the first entry tells nothing of those of which the rule does not speak.
    if (!exactly.has_judged() && found.special != 0) exactly.judge(some, asked);
    assay_verdict told =
        exactly.has_judged() ? exactly.worst() : verdict_of_first(*judge, claim, *found.first, found.nearest);
    told.contract = asked.id.c_str();
    told.components = found.entries;
    told.exactly = exactly.decided();
    told.judged = judged;
    told.violated = exactly.broken();
    judge->in_place.of = exactly.take();
    give(told, verdict);
  });
}
