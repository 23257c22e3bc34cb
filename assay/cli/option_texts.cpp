#include "assay/cli/option_texts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <random>
#include <string_view>
#include <thread>

#include "assay/campaign/match.hpp"
#include "assay/store/case_file.hpp"

namespace assay::cli {
namespace {

template <class T>
T required(const std::optional<T>& value, std::string_view option, const std::string& text, std::string_view accepted) {
  if (!value) throw UsageError(fmt::format("--{} {}: {} is accepted", option, text, accepted));
  return *value;
}

constexpr std::string_view some_bytes = "a number of bytes, or one with K, M, G or T, such as 4G,";
constexpr std::string_view a_duration = "a number of seconds, or one with ms, s, m or h, such as 90m,";

/// A number of cases.
std::uint64_t case_count(std::string_view option, const std::string& text) {
  constexpr std::uint64_t most = std::uint64_t{1} << 63;
  std::optional<std::uint64_t> count = campaign::parse_count(text);
  if (count && (*count == 0 || *count > most)) count.reset();
  return required(count, option, text, "an integer from 1 to 2^63");
}

}  // namespace

void read_shard(const OptionTexts& raw, Options& options) {
  std::string text = raw.shard;
  if (text.empty()) {
    const char* const index = std::getenv("GTEST_SHARD_INDEX");
    const char* const total = std::getenv("GTEST_TOTAL_SHARDS");
    if (index == nullptr && total == nullptr) return;
    if (index == nullptr || total == nullptr) {
      throw UsageError(fmt::format("GTEST_{} is set, and GTEST_{} is not: a shard needs both",
                                   index == nullptr ? "TOTAL_SHARDS" : "SHARD_INDEX",
                                   index == nullptr ? "SHARD_INDEX" : "TOTAL_SHARDS"));
    }
    text = std::string(index) + "/" + total;
    if (const char* const status = std::getenv("GTEST_SHARD_STATUS_FILE")) {
      std::ofstream touched(status, std::ios::app);
    }
  }
  const std::optional<campaign::Shard> shard = campaign::parse_shard(text);
  if (!shard) {
    throw UsageError(fmt::format("--shard {}: must be i/n with 0 <= i < n", text));
  }
  options.shard = *shard;
}

void interpret(const OptionTexts& raw, Options& options) {
  if (!raw.cases.empty()) {
    options.cases = case_count("cases", raw.cases);
  }
  if (!raw.numbers.empty()) {
    options.numbers = case_count("numbers", raw.numbers);
  }
  if (!raw.time.empty()) {
    options.time = required(campaign::parse_duration(raw.time), "time", raw.time, a_duration);
  }
  if (!raw.evaluations.empty()) {
    options.evaluations = case_count("evaluations", raw.evaluations);
  }
  if (raw.seed == "random") {
    std::random_device device;
    options.seed = (static_cast<std::uint64_t>(device()) << 32) | device();
  } else {
    options.seed =
        required(campaign::parse_count(raw.seed), "seed", raw.seed, "random or an integer from 0 to 2^64 - 1");
  }
  const auto size = [](const char* name, const std::string& text, std::uint64_t least, std::uint64_t& into,
                       std::uint64_t most = 4096) {
    if (text.empty()) return;
    std::optional<std::uint64_t> count = campaign::parse_count(text);
    if (count && (*count < least || *count > most)) count.reset();
    into = required(count, name, text, fmt::format("an integer from {} to {}", least, most));
  };
  constexpr std::uint64_t most_bits = 32;
  size("words", raw.words, 1, options.words, most_bits);
  size("draws", raw.draws, 1, options.draws, most_bits);
  size("rows", raw.rows, 1, options.rows);
  size("products", raw.products, 2, options.products);
  size("terms", raw.terms, 2, options.terms, std::uint64_t{1} << 24);
  options.jobs = std::max(1U, std::thread::hardware_concurrency());
  if (!raw.jobs.empty()) {
    std::uint64_t jobs = 0;
    size("jobs", raw.jobs, 1, jobs);
    options.jobs = static_cast<unsigned>(jobs);
    options.jobs_given = true;
  }
  if (!raw.timeout_case.empty()) {
    options.limits.timeout_case =
        required(campaign::parse_duration(raw.timeout_case), "timeout-case", raw.timeout_case, a_duration);
  }
  const bool has_large = !options.shape.empty() || options.tier == "nightly";
  if (raw.timeout_case.empty() && !options.subject.empty() && has_large) {
    options.limits.timeout_case = std::chrono::minutes(1);  // the judge's time counts, too
  }
  if (options.tier == "giant") {
    if (raw.timeout_case.empty()) options.limits.timeout_case = std::chrono::minutes(10);
    if (raw.memory.empty())
      options.limits.memory = std::uint64_t{1} << 40;  // check itself compares memory with what is free
  }
  if (!raw.memory.empty()) {
    options.limits.memory = required(campaign::parse_bytes(raw.memory), "mem-limit", raw.memory, some_bytes);
  }
  if (!raw.bench_memory.empty()) {
    options.bench_memory =
        required(campaign::parse_bytes(raw.bench_memory), "most-memory", raw.bench_memory, some_bytes);
  }
  if (!raw.slower.empty()) {
    std::string digits = raw.slower;
    const bool percent = digits.ends_with('%');
    if (percent) digits.pop_back();
    double part = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), part);
    const bool is_part = error == std::errc() && end == digits.data() + digits.size() && part > 0 && part < 1e6;
    options.slower = required(is_part ? std::optional(percent ? part / 100 : part) : std::nullopt, "slower", raw.slower,
                              "a positive number, such as 0.1 or 10%,");
  }
  if (!raw.most.empty()) {
    store::set_most_bytes_of_a_document(required(campaign::parse_bytes(raw.most), "max-file", raw.most, some_bytes));
  }
  if (!raw.steps.empty()) {
    options.shrink_steps =
        required(campaign::parse_count(raw.steps), "shrink-steps", raw.steps, "an integer from 0 to 2^64 - 1");
  }
  options.shrink = !raw.no_shrink && options.shrink_steps != 0;
  options.isolation = raw.isolate == "none"     ? campaign::Isolation::none
                      : raw.isolate == "worker" ? campaign::Isolation::worker
                      : raw.isolate == "case"   ? campaign::Isolation::one_case
                                                : campaign::Isolation::property;
}

}  // namespace assay::cli
