// Products that are judged where they lie, in the memory of a device.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "assay/judge/objects.hpp"
#include "enclosures/product.hpp"
#include "properties/framework/entry_rules.hpp"

namespace assay::judge {
namespace {

using enclosures::DeviceMatrix;
using enclosures::DeviceProduct;
using enclosures::ElementType;
using enclosures::ScreenedProduct;
using Places = std::vector<std::size_t>;

constexpr std::size_t most_broken = 64;         // entries that are worth to be counted
constexpr std::size_t most_exactly = 1024;      // entries that no enclosure decides
constexpr std::size_t size_of_sample = 24;      // entries that are judged exactly in any case
constexpr std::size_t most_gathered = 1 << 26;  // bytes of terms that are copied at a time

ElementType element_of(const assay_tensor& tensor, const char* name) {
  constexpr std::tuple<int, int, ElementType> types[] = {
      {ASSAY_FLOAT, 64, ElementType::binary64}, {ASSAY_FLOAT, 32, ElementType::binary32},
      {ASSAY_FLOAT, 16, ElementType::binary16}, {ASSAY_BFLOAT, 16, ElementType::bfloat16},
      {ASSAY_E4M3FN, 8, ElementType::e4m3},     {ASSAY_E5M2, 8, ElementType::e5m2}};
  for (const auto& [code, bits, type] : types) {
    if (tensor.code == code && tensor.bits == bits) return type;
  }
  throw std::invalid_argument(std::string(name) + ": numbers of a type that no product has on a device");
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
  if (of_a.columns >= std::int64_t{1} << 32) throw std::invalid_argument("a and b: an inner dimension of 2^32 or more");
  const ElementType factors = element_of(arguments[0], "a");
  if (element_of(arguments[1], "b") != factors) throw std::invalid_argument("b: numbers of another type than a");
  return {of_a.batch, of_a.rows, of_b.columns, of_a.columns, factors, element_of(result, "got"), a, b, got};
}

assay_tensor on_host(const assay_tensor& like, std::byte* data, std::span<const std::int64_t> shape) {
  assay_tensor tensor = like;
  tensor.data = data;
  tensor.ndim = static_cast<std::int32_t>(shape.size());
  tensor.shape = shape.data();
  tensor.strides = nullptr;
  return tensor;
}

/// The exact judgments of single entries.
class ExactEntries {
 public:
  ExactEntries(assay_judge& judge, const enclosures::ProductScreen& screen, const DeviceProduct& product,
               std::span<const assay_tensor> arguments, const assay_tensor& result)
      : judge_(judge),
        prototype_(prototype_of(judge)),
        screen_(screen),
        product_(product),
        like_{arguments[0], arguments[1], result} {}

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

  [[nodiscard]] std::size_t broken() const { return broken_; }
  [[nodiscard]] std::size_t decided() const { return decided_; }
  /// The judgment with the largest share of its bound, of one that is broken if there is one; its component is a place.
  [[nodiscard]] const assay_verdict& worst() const { return worst_; }
  /// The texts of the worst one.
  [[nodiscard]] std::shared_ptr<assay_case> take() { return std::move(case_); }

 private:
  void judge_one(std::size_t place, const Contract& contract, std::byte* factors, std::byte* result) {
    const std::array<std::int64_t, 2> row{1, product_.k};
    const std::array<std::int64_t, 2> column{product_.k, 1};
    const std::array<std::int64_t, 2> entry{1, 1};
    const std::size_t bytes = static_cast<std::size_t>(product_.k) * enclosures::bytes_of(product_.factors);
    const std::array given{on_host(like_[0], factors, row), on_host(like_[1], factors + bytes, column)};
    std::unique_ptr<assay_case> of = case_of(judge_, prototype_, given);
    judge_.kernel->answer(of->record, bits_of_result(*of, on_host(like_[2], result, entry)));
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
  std::uint64_t state = seed + 0x9e3779b97f4a7c15;
  while (places.size() < std::min(size_of_sample, entries)) {
    state = state * 6364136223846793005 + 1442695040888963407;
    places.push_back(static_cast<std::size_t>((state >> 11) % entries));
  }
  return places;
}

}  // namespace
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
    judge->claim(contract);
    const Operation& operation = judge->operation;
    const std::vector<assay_tensor> given = taken(arguments, count);
    const assay_tensor got = taken(result, 1).front();
    const EntryRules rules = entry_rules(operation.name);
    if (judge->formula || rules == nullptr)
      throw std::invalid_argument(operation.name + ": it is not judged on a device");
    const DeviceProduct product = product_of(given, got);
    const auto rule = rules(contract, judge->question.format, static_cast<std::uint64_t>(product.k));
    if (!rule) throw std::invalid_argument(operation.name + ": " + contract + " is not judged on a device");

    const enclosures::ProductScreen screen(product);
    ExactEntries exactly(*judge, screen, product, given, got);
    const Contract& asked = *operation.find(contract);
    const ScreenedProduct found = screen.screen(*rule, most_exactly);
    const std::size_t of_open = exactly.judge(found.open_places, asked);
    Places some = sample_of(found.entries, judge->seed);
    some.insert(some.end(), found.nearest_places.begin(), found.nearest_places.end());
    if (exactly.broken() == 0) exactly.judge(some, asked);
    std::size_t judged = found.entries - found.special - found.open + of_open;
    // A contract about an error is kept only where infinities and NaNs give what IEEE arithmetic does.
    const Contract* const exceptional = operation.find("exceptional");
    if (found.special != 0 && asked.is_about_error && exceptional != nullptr && exactly.broken() == 0) {
      const ScreenedProduct special = screen.screen(*rules(exceptional->id, judge->question.format, 1), most_exactly);
      judged += found.special - special.open + exactly.judge(special.open_places, *exceptional);
    }
    assay_verdict told = exactly.worst();
    told.contract = asked.id.c_str();
    told.components = found.entries;
    told.exactly = exactly.decided();
    told.judged = judged;
    told.violated = exactly.broken();
    judge->on_device = exactly.take();
    give(told, verdict);
  });
}
