#include "assay/cli/selection.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <span>

#include "assay/campaign/match.hpp"
#include "assay/cli/commands.hpp"
#include "properties/framework/giant.hpp"
#include "properties/framework/libraries.hpp"
#include "properties/framework/shrink.hpp"

namespace assay::cli {
namespace {

/// The properties that may match one of the patterns, sorted by name: from the families that the patterns name, or from
/// all. Errors: MissingLibrary.
std::vector<const PropertyModel*> candidates(std::span<const std::string> patterns) {
  std::set<std::string> families;
  bool is_open = false;
  for (const std::string& pattern : patterns) {
    const std::string family = pattern.substr(0, pattern.find('.'));
    is_open = is_open || family.size() == pattern.size() || family.find_first_of("*?[\\/") != std::string::npos;
    families.insert(family);
  }
  std::vector<const PropertyModel*> found;
  const auto add = [&](const auto& models) {
    for (const auto& each : models) found.push_back(each.get());
  };
  if (is_open) {
    add(properties());
  } else {
    for (const std::string& family : families) add(properties_of(family));
  }
  if (const std::string why = missing_properties(); !why.empty()) throw MissingLibrary(why);
  return found;
}

/// A pattern without wildcards must name a property and, after a slash, one of its claims.
void refuse_unknown(const std::string& pattern) {
  std::vector<std::string> names;
  for (const PropertyModel* const each : candidates(std::span(&pattern, 1))) {
    if (!campaign::selected_claims(each->info(), std::span(&pattern, 1)).empty()) {
      return;
    }
  }
  for (const auto& each : properties()) names.push_back(each->info().name);
  const std::size_t slash = pattern.find('/');
  const std::string name = pattern.substr(0, slash);
  std::string text = "no property " + pattern;
  std::vector<std::string> near;
  if (const PropertyModel* const known = find_property(name); known != nullptr && slash != std::string::npos) {
    names.clear();
    for (const ClaimInfo& claim : known->info().claims) {
      names.push_back(claim.id);
    }
    for (const std::string& claim : campaign::nearest(pattern.substr(slash + 1), names)) {
      near.push_back(fmt::format("{}/{}", name, claim));
    }
  } else {
    near = campaign::nearest(name, names);
  }
  for (std::size_t i = 0; i < near.size(); ++i) {
    text += (i == 0 ? "; nearest: " : ", ") + near[i];
  }
  throw UsageError(text);
}

}  // namespace

std::vector<Selected> select(const Options& options) {
  for (const auto* const patterns : {&options.arguments, &options.exclude}) {
    for (const std::string& pattern : *patterns) refuse_unknown(pattern);
  }
  const std::vector<std::string> everything{"*"};
  const std::vector<std::string>& patterns = options.arguments.empty() ? everything : options.arguments;
  std::vector<Selected> selected;
  for (const PropertyModel* const each : candidates(patterns)) {
    std::vector<bool> claims = campaign::selected_claims(each->info(), patterns);
    const std::vector<bool> without = campaign::selected_claims(each->info(), options.exclude);
    for (std::size_t c = 0; c < without.size() && !claims.empty(); ++c) {
      claims[c] = claims[c] && !without[c];
    }
    if (std::find(claims.begin(), claims.end(), true) == claims.end()) {
      continue;
    }
    if (std::find(claims.begin(), claims.end(), false) == claims.end()) {
      claims.clear();
    }
    selected.push_back({each, std::move(claims)});
  }
  return selected;
}

std::vector<Selected> select_to_run(const Options& options) {
  std::vector<Selected> selected = select(options);
  if (options.update_corpus && options.corpus.empty()) {
    throw UsageError("--update-corpus: no corpus; name one with --corpus");
  }
  return selected;
}

std::uint64_t cases_of(const PropertyInfo& info, const Options& options) {
  if (info.enumeration_size != 0) {
    return info.enumeration_size;
  }
  if (giant_need(info.name) != nullptr) {
    return options.cases.value_or(info.quick_cases);
  }
  const std::uint64_t longer = options.tier == "quick" ? 1 : options.tier == "nightly" ? 10 : 100;
  return options.cases.value_or(longer * info.quick_cases);
}

std::uint64_t cases_to_run(const PropertyModel& property, const Options& options) {
  constexpr std::uint64_t least = 200;
  constexpr std::uint64_t sample = 64;
  const PropertyInfo& info = property.info();
  const std::uint64_t all = cases_of(info, options);
  const bool has_control = std::ranges::any_of(info.claims, &ClaimInfo::expected_refuted);
  if (!options.numbers || all <= least || info.enumeration_size != 0 || has_control || giant_need(info.name) != nullptr)
    return all;
  std::uint64_t numbers = 0;
  for (std::uint64_t number = 0; number < sample; ++number) {
    if (const std::optional<Record> drawn = property.make(options.seed, number)) numbers += numbers_in(*drawn);
  }
  const double of_a_case = static_cast<double>(numbers) / sample;
  const double fit = static_cast<double>(*options.numbers) / std::max(1.0, of_a_case);
  if (fit >= static_cast<double>(all)) return all;
  const std::uint64_t round = mixture_round(info);
  const std::uint64_t rounds = (std::max(static_cast<std::uint64_t>(fit), least) + round - 1) / round;
  return std::min(all, rounds * round);
}

std::string tier_of(const PropertyInfo& info) {
  if (giant_need(info.name) != nullptr) {
    return "giant";
  }
  if (info.enumeration_size <= std::uint64_t{1} << 20) {
    return "quick";
  }
  return info.enumeration_size <= std::uint64_t{1} << 25 ? "nightly" : "exhaustive";
}

}  // namespace assay::cli
