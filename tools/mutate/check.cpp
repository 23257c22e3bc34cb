#include "tests/mutants/generate/asked.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <memory>

#include "assay/campaign/match.hpp"
#include "assay/store/corpus.hpp"
#include "mutation.hpp"
#include "properties/framework/giant.hpp"
#include "tests/mutants/generate/children.hpp"

namespace assay::mutants {
namespace {

constexpr std::array<std::uint64_t, stages> ends = {0, 50, 500, ~std::uint64_t{0}};

std::uint64_t all_cases(const PropertyInfo& info) {
  return info.enumeration_size != 0 ? info.enumeration_size : info.quick_cases;
}

/// The cases of a stage. The first stages of an enumeration are spread over it.
CaseRange range_of(const PropertyInfo& info, int stage) {
  const auto at = static_cast<std::size_t>(stage);
  const std::uint64_t all = all_cases(info);
  const std::uint64_t first = std::min(ends[at - 1], all);
  const std::uint64_t end = std::min(ends[at], all);
  if (info.enumeration_size == 0) return {first, 1, end - first};
  return {0, std::max<std::uint64_t>(1, all / std::max<std::uint64_t>(1, end)), first == end ? 0 : end};
}

/// What a child tells of one property.
struct Measured {
  static constexpr std::size_t most_violated = 4096;
  struct Stage {
    double seconds;
    std::size_t positions;
    unsigned char violated[most_violated];
    unsigned char reached[mutation::most];
  };
  Stage of[stages];
  int done;  ///< stages
  char thrown[200];
};

void measure_one(const Asked& asked, Measured& measured) {
  try {
    mutation::forget();
    for (int stage = 0; stage < stages; ++stage) {
      Measured::Stage& of = measured.of[stage];
      const double begun = processor_seconds();
      const Violations found = ask(asked, stage);
      of.seconds = processor_seconds() - begun;
      if (found.violated.size() > Measured::most_violated) throw std::runtime_error("too many saved cases");
      of.positions = found.violated.size();
      for (std::size_t i = 0; i < of.positions; ++i) of.violated[i] = found.violated[i] ? 1 : 0;
      std::memcpy(of.reached, mutation::reached(), mutation::most);
      measured.done = stage + 1;
    }
  } catch (const std::exception& error) {
    std::snprintf(measured.thrown, sizeof measured.thrown, "%s", error.what());
  }
}

}  // namespace

std::uint64_t Asked::cases(int stage) const {
  return stage == 0 ? saved.size() : range_of(property->info(), stage).count;
}

bool Asked::reaches(int mutant, int stage) const {
  const auto number = static_cast<std::size_t>(mutant);
  const std::vector<unsigned char>& reached = of[static_cast<std::size_t>(stage)].reached;
  return number < reached.size() && reached[number] != 0;
}

Violations ask(const Asked& asked, int stage) {
  Violations found;
  if (asked.cases(stage) == 0) return found;
  if (stage != 0) {
    const Tally tally = asked.property->run(Executor::host(), seed, range_of(asked.property->info(), stage), {});
    for (const ClaimTally& claim : tally.claims) {
      found.violated.push_back(claim.violated != 0);
      found.first.push_back(claim.first_violated);
    }
    return found;
  }
  const std::vector<CaseOutcome> outcomes = asked.property->judge(Executor::host(), asked.saved);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    for (const ClaimOutcome& claim : outcomes[i].claims) {
      found.violated.push_back(claim.applies && claim.judgement.verdict == Verdict::violated);
      found.first.push_back(i);
    }
  }
  return found;
}

std::vector<Asked> quick_properties(const std::vector<std::string>& patterns, const std::filesystem::path& corpus) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 20;  // enumeration of the quick tier
  std::vector<Asked> chosen;
  for (const auto& each : properties()) {
    const PropertyInfo& info = each->info();
    if (!info.runs_on("host") || info.enumeration_size > largest || giant_need(info.name) != nullptr) continue;
    if (!patterns.empty() && campaign::selected_claims(info, patterns).empty()) continue;
    Asked asked;
    asked.property = each.get();
    for (const store::Corpus::Entry& entry : store::Corpus(corpus).read(info.name).entries) {
      Record record = store::fitted(entry.file, *each).inputs;
      if (each->contains(record)) asked.saved.push_back(std::move(record));
    }
    chosen.push_back(std::move(asked));
  }
  return chosen;
}

void measure(std::vector<Asked>& properties, unsigned jobs) {
  const auto fill = [&](std::size_t i, const Measured& measured, int status) {
    Asked& asked = properties[i];
    const PropertyInfo& info = asked.property->info();
    if (measured.done != stages) {
      throw std::runtime_error(
          fmt::format("{} ended in stage {} with status {}: {}", info.name, measured.done, status, measured.thrown));
    }
    for (int stage = 0; stage < stages; ++stage) {
      const Measured::Stage& from = measured.of[stage];
      Asked::Stage& to = asked.of[static_cast<std::size_t>(stage)];
      to.seconds = from.seconds;
      to.violated.assign(from.violated, from.violated + from.positions);
      to.reached.assign(from.reached, from.reached + mutation::most);
      for (std::size_t k = 0; k < to.violated.size(); ++k) {
        const ClaimInfo& claim = info.claims[asked.claim_of(k)];
        if (to.violated[k] && !claim.expected_refuted) {
          throw std::runtime_error(fmt::format("{}/{} is violated without a mutant", info.name, claim.id));
        }
      }
    }
  };
  in_children<Measured>(
      properties.size(), jobs, [&](std::size_t i, Measured& measured) { measure_one(properties[i], measured); }, fill);
}

}  // namespace assay::mutants
