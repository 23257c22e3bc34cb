// Results of a sparse matrix times a vector that are judged where they lie, in the memory of a device.

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

#include "assay/judge/on_device.hpp"
#include "enclosures/rows.hpp"
#include "enclosures/sparse.hpp"

namespace assay::judge {
namespace {

using RowNumbers = std::vector<std::int64_t>;

constexpr std::size_t most_open_sparse = 1024;                          // rows that no enclosure decides
constexpr std::int64_t most_entries_of_case = std::int64_t{1} << 20;    // of the rows that the host judges as a case
constexpr std::int64_t most_entries_of_sample = std::int64_t{1} << 16;  // if rows that are not open are among them
constexpr std::size_t most_long_rows = 8;                               // longer ones, which it judges one by one
constexpr std::int64_t most_entries_of_row = std::int64_t{1} << 27;     // of these: 2 GiB are copied
constexpr std::int64_t most_entries_of_device = std::int64_t{1} << 32;
constexpr std::size_t rows_of_sample = 8;  // rows that are judged exactly without need

/// The bytes of an index of a vector of them.
int bytes_of_indices(const assay_tensor& indices) {
  require_fit(indices.code == ASSAY_INT && (indices.bits == 32 || indices.bits == 64), "indices of this type");
  return indices.bits / 8;
}

/// Errors: NoDevice for what the host alone judges, or refuses.
enclosures::DeviceSparse sparse_product_of(std::span<const assay_tensor> arguments, const assay_tensor& result) {
  require_fit(arguments.size() == 4, "such arguments");
  const auto is_vector = [](const assay_tensor& each) {
    return each.ndim == 1 && (each.shape[0] == 1 || layout_of(each).strides[0] == 1);
  };
  require_fit(std::ranges::all_of(arguments, is_vector) && is_vector(result), "arrays of this layout");
  const auto& [offsets, columns, values, x] = std::tie(arguments[0], arguments[1], arguments[2], arguments[3]);
  const auto is_alike = [&](const assay_tensor& each) { return each.code == values.code && each.bits == values.bits; };
  const std::int64_t rows = result.shape[0], entries = values.shape[0];
  require_fit(is_alike(x) && is_alike(result) && rows > 0 && offsets.shape[0] == rows + 1 &&
                  columns.shape[0] == entries && rows + entries < most_entries_of_device,
              "such shapes");
  return {element_of(values, "values"),
          {offsets.data, columns.data, values.data, x.data, result.data, bytes_of_indices(offsets),
           bytes_of_indices(columns), rows, x.shape[0], entries}};
}

/// Rows that the host judges without need: the last, the nearest to its bound, some all over the matrix.
RowNumbers sample_of_rows(const enclosures::ScreenedRows& found, std::int64_t rows, std::uint64_t seed) {
  RowNumbers all{rows - 1};
  if (found.nearest) all.push_back(*found.nearest);
  SamplePlaces others(seed);
  for (std::size_t i = 0; i < rows_of_sample; ++i) {
    all.push_back(static_cast<std::int64_t>(others.next(static_cast<std::uint64_t>(rows))));
  }
  return all;
}

/// The exact judgments of some rows on the host.
class SparseRowsOfHost {
 public:
  SparseRowsOfHost(assay_judge& judge, const enclosures::SparseScreen& screen, std::span<const assay_tensor> arguments,
                   const assay_tensor& result, const Contract& contract)
      : judge_(judge), screen_(screen), arguments_(arguments), result_(result), contract_(contract) {}

  /// As one matrix. The verdict's component is a row.
  assay_verdict judge_case(const RowNumbers& rows, const RowNumbers& lengths) {
    enclosures::GatheredRows gathered = screen_.gather(rows, lengths);
    RowNumbers offsets(rows.size() + 1);
    std::inclusive_scan(lengths.begin(), lengths.end(), offsets.begin() + 1);
    RowNumbers columns(static_cast<std::size_t>(offsets.back()));
    std::iota(columns.begin(), columns.end(), std::int64_t{0});
    const std::array shapes{static_cast<std::int64_t>(offsets.size()), offsets.back(),
                            static_cast<std::int64_t>(rows.size())};
    constexpr std::array<std::int64_t, 1> step{1};
    const auto vector = [&](const assay_tensor& like, std::byte* data, std::size_t shape) {
      return on_host(like, data, std::span(shapes).subspan(shape, 1), step);
    };
    assay_tensor integers = arguments_[0];
    integers.bits = 64;
    const std::array given{vector(integers, reinterpret_cast<std::byte*>(offsets.data()), 0),
                           vector(integers, reinterpret_cast<std::byte*>(columns.data()), 1),
                           vector(arguments_[2], gathered.values.data(), 1),
                           vector(arguments_[3], gathered.x.data(), 1)};
    std::unique_ptr<assay_case> of = case_of(judge_, prototype_of(judge_), given);
    judge_.kernel->answer(of->record, bits_of_result(*of, vector(result_, gathered.got.data(), 2)));
    assay_verdict verdict{};
    verdict.struct_size = sizeof verdict;
    const std::array told{&verdict};
    judge::judge_case(*of, told, &contract_);
    if (verdict.component < rows.size()) verdict.component = static_cast<std::size_t>(rows[verdict.component]);
    judge_.in_place.of = std::move(of);
    return verdict;
  }

  /// As a dot product.
  assay_verdict judge_long(std::int64_t row, std::int64_t length) {
    const enclosures::GatheredRows gathered = screen_.gather({row}, {length});
    auto verdict = judged_as_dot(judge_, contract_, static_cast<std::size_t>(length), gathered.values.data(),
                                 gathered.x.data(), gathered.got.data());
    require_fit(verdict.has_value(), "rows of this contract");
    verdict->component = static_cast<std::size_t>(row);
    judge_.in_place.of = nullptr;
    return *verdict;
  }

 private:
  assay_judge& judge_;
  const enclosures::SparseScreen& screen_;
  std::span<const assay_tensor> arguments_;
  const assay_tensor& result_;
  const Contract& contract_;
};

/// Rows that make up one case, ascending, and open ones that are longer.
struct Chosen {
  RowNumbers rows, lengths, long_rows, long_lengths;
  std::size_t open = 0;  ///< so many of the case are open
};
/// Of these rows, of which the first `open` ones are open, as many as the host judges.
Chosen chosen(const RowNumbers& rows, std::size_t open, const RowNumbers& lengths) {
  Chosen all;
  std::map<std::int64_t, std::int64_t> of_case;
  std::int64_t entries = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (lengths[i] > most_entries_of_case) {
      if (i >= open || all.long_rows.size() == most_long_rows || lengths[i] > most_entries_of_row) continue;
      all.long_rows.push_back(rows[i]);
      all.long_lengths.push_back(lengths[i]);
    } else if (entries + lengths[i] <= (i < open ? most_entries_of_case : most_entries_of_sample) &&
               of_case.emplace(rows[i], lengths[i]).second) {
      entries += lengths[i];
      all.open += i < open ? 1 : 0;
    }
  }
  for (const auto& [row, length] : of_case) {
    all.rows.push_back(row);
    all.lengths.push_back(length);
  }
  return all;
}

}  // namespace

assay_verdict judged_sparse(assay_judge& judge, SparseRules rules, std::span<const assay_tensor> arguments,
                            const assay_tensor& result, const Contract& contract) {
  const enclosures::DeviceSparse product = sparse_product_of(arguments, result);
  require_fit(format_of(product.type) == judge.question.format, "numbers of another format than the judge has");
  const auto rule = rules(contract.id, judge.question.format);
  require_fit(rule.has_value(), "results by this contract");
  const enclosures::SparseScreen screen(product);
  const enclosures::ScreenedRows found = screen.screen(*rule, most_open_sparse);
  RowNumbers rows = found.open;
  const RowNumbers sample = sample_of_rows(found, product.arrays.rows, judge.seed);
  rows.insert(rows.end(), sample.begin(), sample.end());
  const Chosen some = chosen(rows, found.open.size(), screen.lengths(rows));
  SparseRowsOfHost exactly(judge, screen, arguments, result, contract);
  std::optional<assay_verdict> told;
  std::size_t judged = 0;
  for (; judged < some.long_rows.size() && (!told || told->verdict == ASSAY_KEPT); ++judged) {
    told = exactly.judge_long(some.long_rows[judged], some.long_lengths[judged]);
    require_fit(told->verdict == ASSAY_KEPT || told->verdict == ASSAY_BROKEN, "long rows that no bound speaks of");
  }
  std::size_t open_judged = judged;
  if (!some.rows.empty() && (!told || told->verdict == ASSAY_KEPT)) {
    const std::optional<assay_verdict> of_long = told;
    told = exactly.judge_case(some.rows, some.lengths);
    if (of_long && told->verdict == ASSAY_KEPT && told->ratio < of_long->ratio) {
      told = of_long;
      judge.in_place.of = nullptr;
    }
    judged += some.rows.size();
    open_judged += some.open;
  }
  const bool is_broken = told && told->verdict == ASSAY_BROKEN;
  require_fit(is_broken || found.kept + static_cast<std::int64_t>(open_judged) == product.arrays.rows,
              "so many rows that are not decided on the device");
  if (!told) {  // all rows are long, and kept
    const std::vector<std::byte> got = copied(result.data, *found.nearest, 1, enclosures::bytes_of(product.type));
    const enclosures::Enclosure& of = found.of_nearest.value();
    told = verdict_of_first(judge, judge.claim(contract.id),
                            {of.value, of.low, of.radius, enclosures::number_at(product.type, got.data(), 0)},
                            found.share);
    told->component = static_cast<std::size_t>(*found.nearest);
    judge.in_place.of = nullptr;
  }
  told->contract = contract.id.c_str();
  told->components = static_cast<std::size_t>(product.arrays.rows);
  told->exactly = judged;
  if (is_broken || told->verdict == ASSAY_KEPT) {
    told->judged = static_cast<std::size_t>(found.kept) + open_judged;
  }
  return *told;
}

}  // namespace assay::judge
