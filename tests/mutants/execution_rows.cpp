// The promises of sums by blocks of threads, for the mutants that break them. Every property also promises, without
// saying so, the same bits in every order of threads and blocks and at every repetition.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "errorbounds/execution_theorems.hpp"
#include "errorbounds/sum_theorems.hpp"
#include "properties/draws/sum/cases.hpp"
#include "properties/framework/property.hpp"
#include "tests/mutants/device/execution_mutants.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

using SumKernel = std::function<std::vector<double>(const Executor&, std::span<const double>, sum::Offsets)>;

/// |ŝ − s| ≤ γ_h S if no addend goes through more than h = height(n) additions. Of the classes of sums those of short
/// vectors come first: a failing case of a few terms is quickly shrunk.
auto sum_in_blocks_promise(std::string name, const SumKernel& kernel, std::uint64_t (*height)(std::uint64_t n)) {
  using Case = sum::SumCase<double>;
  Domain<Case> domain = sum::sum_domain<double>();
  const auto is_short = [](const InputClass<Case>& each) { return each.name.starts_with("at a power of two"); };
  std::stable_partition(domain.classes.begin(), domain.classes.end(), is_short);
  return TypedModel(Property<Case, double, oracle::Dyadic>{
      .name = std::move(name),
      .domain = std::move(domain),
      .subject =
          [kernel](const Executor& on, std::span<const Case> cases) {
            const sum::Packed<double> all = sum::packed(cases);
            return kernel(on, std::span<const double>(all.x), sum::Offsets(all.offsets));
          },
      .reference = sum::exact_sum_of<Case>,
      .claims = {within("error", sum_pairwise_1,
                        [height](const auto& bound, const Case& c) {
                          return bound(height(c.x.size()), sum::exact_sums(c).magnitudes,
                                       FloatTraits<double>::precision);
                        })},
      .quick_cases = 1000});
}

auto block_sum_promise(BlockSumMistake mistake) {
  return sum_in_blocks_promise(
      "mutants.block_sum",
      [mistake](const Executor& on, std::span<const double> x, sum::Offsets offsets) {
        return block_sum_with(mistake, on, x, offsets);
      },
      [](std::uint64_t n) { return 6 + (n + 63) / 64; });
}

auto grid_sum_promise(bool atomic) {
  return sum_in_blocks_promise(
      "mutants.grid_sum",
      [atomic](const Executor& on, std::span<const double> x, sum::Offsets offsets) {
        return grid_sum_with(atomic, on, x, offsets);
      },
      [](std::uint64_t n) { return 1 + (n + grid_sum_threads - 1) / grid_sum_threads; });
}

/// The number of rows of a matrix.
struct RowsCase {
  std::int64_t rows = 0;
  static constexpr auto fields() { return std::tuple{field("rows", &RowsCase::rows)}; }
};

/// As many elements are written as the case has rows.
auto all_written(const std::string& name, const std::string& instance, std::vector<InputClass<RowsCase>> classes,
                 const std::function<std::int64_t(const Executor&, std::int64_t)>& written) {
  return TypedModel(Property<RowsCase, double, oracle::Dyadic>{
      .name = name,
      .domain = {.classes = std::move(classes),
                 .contains = [](const RowsCase& c) { return c.rows >= 0 && c.rows <= 70000; }},
      .subject = [written](const Executor& on, const RowsCase& c) { return static_cast<double>(written(on, c.rows)); },
      .reference = [](const RowsCase& c) -> oracle::Dyadic { return c.rows; },
      .claims = {of_instance(instance, exact("all_written", execution_guard_zones_1))},
      .quick_cases = 24});
}

/// Cases of fewer rows than that.
auto fewer_than(std::uint64_t rows) {
  return drawn<RowsCase>([rows](Draw& draw) { return RowsCase{static_cast<std::int64_t>(draw.below(rows))}; });
}

/// Every row is written.
auto rows_promise(bool second_dimension) {
  const auto about_65535 = [](Draw& draw) { return RowsCase{65535 + draw.between(-8, 24)}; };
  return all_written("mutants.rows", "every row has its result",
                     {{"few", 1, fewer_than(200)}, {"about 65535", 1, drawn<RowsCase>(about_65535)}},
                     [second_dimension](const Executor& on, std::int64_t rows) {
                       return written_rows_with(second_dimension, on, rows);
                     });
}

/// Every element is written, by however many blocks.
auto strides_promise(bool usual_step) {
  return all_written(
      "mutants.strides", "every element has its result", {{"some blocks", 1, fewer_than(2000)}},
      [usual_step](const Executor& on, std::int64_t rows) { return written_by_strides_with(usual_step, on, rows); });
}

}  // namespace

Rows execution_rows() {
  const RightKernel right_sum([] { return block_sum_promise(BlockSumMistake::none); });
  const auto in_block = [&](const Planted& planted, BlockSumMistake mistake) {
    return kernel_row(planted, block_sum_promise(mistake), right_sum);
  };
  const Planted dimension{"G8", "rows are a grid's second dimension, launch unchecked", 0};
  const Planted atomic{"G9", "blocks add to one sum as they come", 16};
  const Planted strides{"G12", "threads go on by the stride of a grid with a thread for each element", 0};
  Rows rows{
      in_block({"G1", "no barrier between writing and reading shared memory", 1}, BlockSumMistake::barrier_removed),
      in_block({"G3", "lanes without an element take part in a tree", 1}, BlockSumMistake::garbage_lanes),
      in_block({"G5", "threads without an element do not come to a barrier", 1}, BlockSumMistake::barrier_in_branch),
      kernel_row(dimension, rows_promise(true), rows_promise(false)),
      kernel_row(atomic, grid_sum_promise(true), grid_sum_promise(false)),
      in_block({"G10", "a sum in shared memory has no first value", 1}, BlockSumMistake::uninitialised),
      kernel_row(strides, strides_promise(true), strides_promise(false)),
  };
  if (Executor::cuda_device_count() == 0) return rows;
  rows.push_back(device_row({"G8 device", dimension.what}, rows_promise(true), rows_promise(false)));
  rows.push_back(device_row({"G9 device", atomic.what}, grid_sum_promise(true), grid_sum_promise(false)));
  rows.push_back(device_row({"G12 device", strides.what}, strides_promise(true), strides_promise(false)));
  return rows;
}

}  // namespace assay::mutants
