#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "assay/cli/commands.hpp"
#include "assay/cli/subject.hpp"
#include "assay/cli/to_stderr.hpp"
#include "assay/prober/entries.hpp"
#include "assay/prober/prober.hpp"
#include "assay/process/worker.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/store/probed_units.hpp"
#include "oracle/decimal.hpp"
#include "oracle/format.hpp"
#include "properties/framework/libraries.hpp"
#include "properties/framework/operation.hpp"

namespace assay::cli {
namespace {

using prober::Finding;
using prober::Number;
using prober::Product;
using prober::Rule;
using prober::Unit;
using Row = store::ProbedUnits::Unit;

/// A case of matmul with A of rows × products and B of products × rows, whose D has the d of some products on its
/// diagonal.
Record matrices_of(const Unit& unit, std::size_t rows, std::span<const Product> products) {
  const auto k = static_cast<std::size_t>(unit.products);
  const bool integers = prober::is_integer(unit.input);  // numbers of binary32 in a case
  const Number number = integers ? Number::f32 : unit.input;
  Words a{prober::format_of(number), Words::Shape::list, {}};
  Words b = a;
  a.bits.assign(rows * k, 0);
  b.bits.assign(rows * k, 0);
  for (std::size_t i = 0; i < products.size(); ++i) {
    for (std::size_t l = 0; l < k; ++l) {
      a.bits[i * k + l] = prober::pattern_of(number, products[i].a[l]);
      b.bits[l * rows + i] = prober::pattern_of(number, products[i].b[l]);
    }
  }
  const auto side = static_cast<std::int64_t>(rows);
  return {{{"batch", std::int64_t{1}},
           {"m", side},
           {"n", side},
           {"k", static_cast<std::int64_t>(k)},
           {"a", std::move(a)},
           {"b", std::move(b)}}};
}

/// Errors: ExecutorError if the kernel gave no answer.
std::vector<std::uint64_t> multiplied(process::Asker& asker, const Unit& unit, std::size_t rows,
                                      std::span<const Product> products) {
  std::vector<std::uint64_t> results;
  for (std::size_t first = 0; first < products.size(); first += rows) {
    const auto part = products.subspan(first, std::min(rows, products.size() - first));
    const Record matrices = matrices_of(unit, rows, part);
    const process::Answer<std::vector<Words>> answer = asker.evaluate(std::span(&matrices, 1));
    if (const auto* stop = std::get_if<process::Stop>(&answer)) throw ExecutorError(stop->what);
    const std::vector<std::uint64_t>& d = std::get<std::vector<Words>>(answer).front().bits;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const std::uint64_t bits = d[i * (rows + 1)];
      // Sums of integers are numbers of binary64 in a result.
      results.push_back(
          unit.result == Number::s32 ? prober::pattern_of(Number::s32, prober::value_of(Number::f64, bits)) : bits);
    }
  }
  return results;
}

/// "bf16:f32" as two formats, "f32" as the same twice. Errors: UsageError.
std::pair<Number, Number> formats_of(const std::string& text) {
  const std::vector<std::string>& known = operation_named("matmul").formats;
  const std::size_t colon = text.find(':');
  const std::string input = text.substr(0, colon);
  const std::string result = colon == std::string::npos ? input : text.substr(colon + 1);
  const bool is_result = result == "f64" || result == "f32" || result == "f16" || result == "s32";
  if (std::ranges::find(known, text) == known.end() || !is_result) {
    std::string accepted;
    for (const std::string& each : known) {
      if (!each.ends_with("bf16")) accepted += (accepted.empty() ? "" : ", ") + each;
    }
    throw UsageError(fmt::format("--format {}: probe-device knows {}", text, accepted));
  }
  return {prober::number_named(input), prober::number_named(result)};
}

/// A kernel from outside that computes matmul, run in a process of its own.
Unit unit_of_subject(const Options& options) {
  const auto [input, result] = formats_of(options.format);
  const auto rows = static_cast<std::size_t>(options.rows);
  Unit unit{fmt::format("{}{}{} {}x{}x{}", options.subject, options.symbol.empty() ? "" : " ", options.symbol, rows,
                        rows, options.products),
            input,
            result,
            static_cast<int>(options.products),
            false,
            {},
            static_cast<int>(rows)};
  const std::shared_ptr<process::Asker> asker = process::ask_in_worker(
      *properties_of(options.family).front(), options.on == "cuda" ? "cuda" : "host", options.seed, options.limits);
  unit.compute = [unit, rows, asker](std::span<const Product> products) {
    return multiplied(*asker, unit, rows, products);
  };
  return unit;
}

/// The words for prober::Rule, tensor_core::Result and prober::Conversion.
constexpr std::array rule_names{"step", "fma", "multiply_add", "wraps", "saturates"};
constexpr std::array rounding_names{"f32_rz", "e8m13_rz", "f32_rn", "f16_rn"};
constexpr std::array conversion_names{"none", "tf32_truncated", "tf32_rounded"};

/// The name of an enumerator.
template <std::size_t n, class T>
std::string name_in(const std::array<const char*, n>& names, T value) {
  return names[static_cast<std::size_t>(value)];
}

/// A hexadecimal float. fmt's own text depends on its version: 0 is 0x0p+0 or 0x0p-1022.
std::string hexadecimal(double x) { return oracle::to_hex(oracle::binary64, std::bit_cast<std::uint64_t>(x)); }

store::ProbedUnits::Example example_of(const prober::Example& example) {
  store::ProbedUnits::Example into{
      {}, hexadecimal(example.product.c), fmt::format("{:#x}", example.got), fmt::format("{:#x}", example.predicted)};
  for (std::size_t i = 0; i < example.product.a.size(); ++i) {
    if (example.product.a[i] == 0 && example.product.b[i] == 0) continue;
    into.terms.push_back({i, hexadecimal(example.product.a[i]), hexadecimal(example.product.b[i])});
  }
  return into;
}

Row row_of(const Unit& unit) {
  return {.name = unit.name,
          .input = std::string(prober::name_of(unit.input)),
          .result = std::string(prober::name_of(unit.result)),
          .products = static_cast<std::uint64_t>(unit.products),
          .takes_c = unit.has_c,
          .entries = unit.entries};
}

Row row_of(const Unit& unit, const Finding& finding) {
  Row row = row_of(unit);
  const bool is_float = !prober::is_integer(unit.input);
  if (finding.order && is_float) {
    row.order = prober::words_of(*finding.order, unit);
    if (const auto shape = prober::shape_of(*finding.order, unit)) {
      row.step = static_cast<std::uint64_t>(shape->step);
      if (shape->slice != 0) row.slice = static_cast<std::uint64_t>(shape->slice);
    }
  }
  row.conversion = "none";
  if (finding.arithmetic) {
    row.rule = name_in(rule_names, finding.arithmetic->rule);
    row.conversion = name_in(conversion_names, finding.arithmetic->conversion);
    if (finding.arithmetic->rule == Rule::step) {
      const tensor_core::Step& step = finding.arithmetic->step;
      row.fraction_bits = static_cast<std::uint64_t>(step.fraction_bits);
      row.alignment = step.alignment == tensor_core::Alignment::down ? "down" : "toward_zero";
      row.rounding = name_in(rounding_names, step.result);
      row.least_floor = finding.least_floor;
      row.largest_floor = finding.largest_floor;
    }
  }
  row.keeps_subnormal_elements = finding.keeps_inputs;
  row.keeps_subnormal_results = finding.keeps_results;
  row.nan = finding.nan;
  row.predicted = finding.predicted;
  row.checked = finding.checked;
  row.contract = prober::contract_of(unit, finding);
  row.trouble = finding.trouble;
  if (finding.example) row.example = example_of(*finding.example);
  return row;
}

std::string kept(const std::optional<bool>& keeps) { return !keeps ? "not visible" : *keeps ? "kept" : "flushed"; }

/// The floor in words: says so if no case narrowed the range.
std::string floor_words(const Row& row) {
  if (*row.least_floor == *row.largest_floor) return fmt::format("exponent {}", *row.least_floor);
  return fmt::format("at most exponent {}{}", *row.largest_floor,
                     *row.least_floor == prober::lowest_floor ? "" : fmt::format(", at least {}", *row.least_floor));
}

void line(const char* what, const std::string& text) {
  if (!text.empty()) fmt::print("  {:<11} {}\n", what, text);
}

void print(const Row& row, const Finding& finding) {
  fmt::print("{}: {} to {}, {} products\n", row.name, row.input, row.result, row.products);
  line("entries", row.entries);
  line("order", row.order);
  if (finding.arithmetic) line("arithmetic", prober::words_of(*finding.arithmetic));
  if (row.conversion != "none") {
    line("elements", row.conversion == "tf32_truncated" ? "cut to tf32" : "rounded to tf32");
  }
  if (row.least_floor) line("floor", floor_words(row));
  if (!row.nan.empty()) {
    line("subnormal",
         fmt::format("elements {}, results {}", kept(row.keeps_subnormal_elements), kept(row.keeps_subnormal_results)));
    line("NaN", row.nan);
  }
  if (row.checked != 0) {
    line("predicted", fmt::format("{} of {} products bit for bit", row.predicted, row.checked));
  }
  line("contract", row.contract.empty() ? "none of those that are known" : row.contract);
  line("no model", row.trouble);
  if (!row.example) return;
  std::string sum = "c = " + row.example->c;
  for (const auto& term : row.example->terms) sum += fmt::format(" + {}*{} [{}]", term.a, term.b, term.place);
  line("example",
       fmt::format("{}: d = {}, the last model left gives {}", sum, row.example->got, row.example->predicted));
}

/// The units of a device; prints on standard error what is missing.
std::vector<Unit> units_of_device(std::string& name) {
  if (Executor::cuda_device_count() == 0) {
    to_stderr("assay: probe-device: {}; --subject probes a kernel from outside\n",
              Executor::built_with_cuda() ? "no CUDA device here" : "this build has no CUDA");
    return {};
  }
  properties_of("tensor_core");  // the units come with these properties
  if (const std::string why = missing_properties(); !why.empty()) throw MissingLibrary(why);
  const Executor device = Executor::cuda();
  name = device.model();
  std::vector<Unit> units = prober::instructions_of(device);
  try {
    for (Unit& each : prober::library_products_of(device)) units.push_back(std::move(each));
  } catch (const ExecutorError& error) {
    to_stderr("assay: probe-device: {}\n", error.what());
  }
  return units;
}

}  // namespace

int run_probe_device(const Options& options) {
  store::ProbedUnits document{.device = options.subject, .seed = options.seed};
  const bool is_subject = !options.subject.empty();
  if (!is_subject && options.on == "host")
    throw UsageError(
        "--on host: needs --subject, a kernel that runs on "
        "the host");
  if (is_subject && options.on == "cuda" && executors(options).empty()) return report::exit_skipped;
  process::watch_signals();
  const std::vector<Unit> units = is_subject ? std::vector{unit_of_subject(options)} : units_of_device(document.device);
  if (units.empty()) return report::exit_skipped;
  if (!options.json) fmt::print("{}, seed {}\n", document.device, options.seed);
  int code = report::exit_holds;
  for (Unit unit : units) {
    Finding finding;
    try {
      unit = prober::of_entries_alike(unit);
      finding = prober::probe(unit, options.seed);
    } catch (const ExecutorError& error) {
      if (is_subject) {
        to_stderr("assay: {}: {}\n", options.subject, error.what());
        return report::exit_stopped;
      }
      if (error.fatal()) code = report::exit_stopped;
      finding.trouble = error.what();
    }
    document.units.push_back(row_of(unit, finding));
    if (!options.json) print(document.units.back(), finding);
    if (code != report::exit_holds) break;
  }
  if (options.json) fmt::print("{}", store::pretty(store::probed_units_document(document)));
  return code;
}

}  // namespace assay::cli
