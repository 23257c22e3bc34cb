// Reads the documents of Google Benchmark programs.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <tuple>

#include "assay/store/bench.hpp"

namespace assay::store {
namespace {

/// The parts of a benchmark's name: "sum.exact/peer:std::accumulate/n:1024/threads:2".
struct Name {
  BenchCurve of;
  std::optional<std::uint64_t> size;
  bool by_the_clock = false;  ///< real_time is the time; otherwise cpu_time is
};

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// One part between slashes of the name. The first argument of the benchmark is the size; others belong to the kernel's
/// name.
void take_part(std::string_view part, Name& name) {
  const std::size_t colon = part.find(':');
  const std::string_view key = part.substr(0, colon == std::string_view::npos ? 0 : colon);
  const std::string_view value = colon == std::string_view::npos ? part : part.substr(colon + 1);
  const std::optional<std::uint64_t> number = whole_number(value);
  if (part == "real_time" || part == "manual_time") {
    name.by_the_clock = true;
  } else if (part == "process_time" || key == "iterations" || key == "repeats" || key == "min_time" ||
             key == "min_warmup_time") {
    return;
  } else if (key == "threads" && number && *number > 0) {
    name.of.threads = *number;
    name.by_the_clock = name.by_the_clock || *number > 1;
  } else if (key == "on" && (value == "host" || value == "cuda")) {
    name.of.executor = value;
  } else if (key == "peer" || key == "limit") {
    name.of.role = key == "peer" ? BenchRole::peer : BenchRole::limit;
    name.of.name = value;
  } else if (number && !name.size && *number > 0) {
    name.size = number;
  } else {
    name.of.kernel += "/" + std::string(part);
  }
}

Name name_of(std::string_view text) {
  Name name;
  std::size_t end = text.find('/');
  name.of.kernel = text.substr(0, end);
  name.of.executor = "host";
  while (end != std::string_view::npos) {
    const std::size_t next = text.find('/', end + 1);
    take_part(text.substr(end + 1, next == std::string_view::npos ? next : next - end - 1), name);
    end = next;
  }
  return name;
}

std::string text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string machine_of(const Json& context, const std::string& executor) {
  std::string machine = text_at(context, "host_name");
  if (const auto cpus = context.find("num_cpus"); cpus != context.end() && cpus->is_number_unsigned()) {
    machine += (machine.empty() ? "" : ", ") + compact(*cpus) + " CPUs";
  }
  const std::string device = executor == "cuda" ? text_at(context, "device") : "";
  return machine + (machine.empty() || device.empty() ? "" : ", ") + device;
}

double seconds_of(const Json& benchmark, const std::string& text, bool by_the_clock) {
  const char* const key = by_the_clock ? "real_time" : "cpu_time";
  const auto found = benchmark.find(key);
  const std::string unit = text_at(benchmark, "time_unit");
  const double second = unit == "ns" || unit.empty() ? 1e9
                        : unit == "us"               ? 1e6
                        : unit == "ms"               ? 1e3
                        : unit == "s"                ? 1
                                                     : 0;
  if (second == 0) throw JsonError("the benchmark \"" + text + "\" has the unknown unit of time \"" + unit + "\"");
  const double seconds = found != benchmark.end() && found->is_number() ? found->get<double>() / second : 0;
  if (!(seconds > 0) || std::isinf(seconds)) {
    throw JsonError("\"" + std::string(key) + "\" of the benchmark \"" + text + "\" is not a number above 0");
  }
  return seconds;
}

/// The times of one benchmark.
struct Times {
  std::vector<double> of_runs;
  std::optional<double> median;  ///< for a document without runs
};

BenchPoint point_of(std::uint64_t size, Times& times) {
  if (times.of_runs.empty()) return {size, *times.median, *times.median, 1, {}, {}};
  std::ranges::sort(times.of_runs);
  const std::size_t n = times.of_runs.size();
  const double median = n % 2 == 1 ? times.of_runs[n / 2] : (times.of_runs[n / 2 - 1] + times.of_runs[n / 2]) / 2;
  return {size, median, times.of_runs.front(), n, {}, {}};
}

}  // namespace

std::vector<BenchCurve> curves_of_google_benchmark(const Json& value, std::vector<std::string>& left_out) {
  constexpr auto what = "no document of Google Benchmark: ";
  const auto list = value.find("benchmarks");
  if (!value.is_object() || list == value.end() || !list->is_array()) {
    throw JsonError(std::string(what) + "\"benchmarks\" is not an array");
  }
  const auto found_context = value.find("context");
  const Json context = found_context != value.end() && found_context->is_object() ? *found_context : Json::object();
  using Key = std::tuple<std::string, std::string, BenchRole, std::string, std::uint64_t>;
  std::map<Key, std::map<std::uint64_t, Times>> curves;
  for (const Json& each : *list) {
    if (!each.is_object()) throw JsonError(std::string(what) + "an element of \"benchmarks\" is not an object");
    const std::string text = each.contains("run_name") ? text_at(each, "run_name") : text_at(each, "name");
    if (text.empty()) throw JsonError(std::string(what) + "a benchmark has no name");
    const bool is_aggregate = text_at(each, "run_type") == "aggregate";
    if (is_aggregate && text_at(each, "aggregate_name") != "median") continue;
    if (const auto failed = each.find("error_occurred"); failed != each.end() && *failed == true) {
      left_out.push_back(text + ": " + text_at(each, "error_message"));
      continue;
    }
    const Name name = name_of(text);
    if (!name.size) {
      left_out.push_back(text + ": the name has no size; one of 1024 is a name that ends with /1024");
      continue;
    }
    Times& times = curves[{name.of.kernel, name.of.executor, name.of.role, name.of.name, name.of.threads}][*name.size];
    const double seconds = seconds_of(each, text, name.by_the_clock);
    if (is_aggregate) {
      times.median = seconds;
    } else {
      times.of_runs.push_back(seconds);
    }
  }
  std::vector<BenchCurve> all;
  for (auto& [key, points] : curves) {
    BenchCurve& curve = all.emplace_back();
    std::tie(curve.kernel, curve.executor, curve.role, curve.name, curve.threads) = key;
    curve.machine = machine_of(context, curve.executor);
    for (auto& [size, times] : points) curve.points.push_back(point_of(size, times));
  }
  return all;
}

}  // namespace assay::store
