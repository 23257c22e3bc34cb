#include "assay/campaign/match.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace assay::campaign {
namespace {

/// A number and the unit after it.
std::optional<std::uint64_t> number_and_unit(const std::string& text, std::string& unit) {
  std::uint64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc()) {
    return std::nullopt;
  }
  unit.assign(end, text.data() + text.size());
  return number;
}

std::optional<std::uint64_t> times(std::uint64_t number, std::uint64_t factor) {
  return number > std::numeric_limits<std::uint64_t>::max() / 2 / factor ? std::nullopt
                                                                         : std::optional(number * factor);
}

}  // namespace

bool matches(const std::string& pattern, const std::string& text) {
  return ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

std::vector<bool> selected_claims(const PropertyInfo& info, std::span<const std::string> patterns) {
  std::vector<bool> claims(info.claims.size(), false);
  bool any = false;
  for (const std::string& pattern : patterns) {
    const std::size_t slash = pattern.find('/');
    if (!matches(pattern.substr(0, slash), info.name)) {
      continue;
    }
    for (std::size_t c = 0; c < claims.size(); ++c) {
      if (slash == std::string::npos || matches(pattern.substr(slash + 1), info.claims[c].id)) {
        claims[c] = true;
        any = true;
      }
    }
  }
  return any ? claims : std::vector<bool>();
}

std::optional<std::chrono::milliseconds> parse_duration(const std::string& text) {
  std::string unit;
  const std::optional<std::uint64_t> number = number_and_unit(text, unit);
  std::uint64_t factor = 0;
  if (unit == "ms") factor = 1;
  if (unit.empty() || unit == "s") factor = 1000;
  if (unit == "m" || unit == "min") factor = 60'000;
  if (unit == "h") factor = 3'600'000;
  if (!number || *number == 0 || factor == 0 || *number > 1'000'000'000) {
    return std::nullopt;
  }
  return std::chrono::milliseconds(*number * factor);
}

std::optional<std::uint64_t> parse_bytes(const std::string& text) {
  std::string unit;
  const std::optional<std::uint64_t> number = number_and_unit(text, unit);
  if (!number || *number == 0) {
    return std::nullopt;
  }
  if (unit.ends_with("iB")) {
    unit.resize(unit.size() - 2);
  } else if (unit.size() == 2 && unit.ends_with('B')) {
    unit.resize(1);
  }
  if (unit.empty() || unit == "B") return number;
  if (unit == "K" || unit == "k") return times(*number, std::uint64_t{1} << 10);
  if (unit == "M") return times(*number, std::uint64_t{1} << 20);
  if (unit == "G") return times(*number, std::uint64_t{1} << 30);
  if (unit == "T") return times(*number, std::uint64_t{1} << 40);
  return std::nullopt;
}

std::optional<Shard> parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) {
    return std::nullopt;
  }
  const std::optional<std::uint64_t> index = parse_count(text.substr(0, slash));
  const std::optional<std::uint64_t> count = parse_count(text.substr(slash + 1));
  if (!index || !count || *index >= *count) {
    return std::nullopt;
  }
  return Shard{*index, *count};
}

std::optional<std::uint64_t> parse_count(const std::string& text) {
  std::string unit;
  const std::optional<std::uint64_t> number = number_and_unit(text, unit);
  return unit.empty() ? number : std::nullopt;
}

}  // namespace assay::campaign
