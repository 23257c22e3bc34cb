#include "tools/mutate/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>

#include "tools/mutate/children.hpp"
#include "tools/mutate/mutation.hpp"

namespace mutate {
namespace {

constexpr std::array<std::uint64_t, stages> ends = {0, 50, 500, ~std::uint64_t{0}};

struct Range {
  std::uint64_t first, step, count;
};

/// The cases of a stage. The first stages of an exhaustive check are spread over it.
Range range_of(const Check& check, int stage) {
  const auto at = static_cast<std::size_t>(stage);
  const std::uint64_t all = check.cases();
  const std::uint64_t first = std::min(ends[at - 1], all);
  const std::uint64_t end = std::min(ends[at], all);
  if (!check.is_exhaustive()) return {first, 1, end - first};
  return {0, std::max<std::uint64_t>(1, all / std::max<std::uint64_t>(1, end)), first == end ? 0 : end};
}

/// A child's answer about one check.
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

std::uint64_t Asked::cases(int stage) const { return stage == 0 ? check->saved() : range_of(*check, stage).count; }

bool Asked::reaches(int mutant, int stage) const {
  const auto number = static_cast<std::size_t>(mutant);
  const std::vector<unsigned char>& reached = of[static_cast<std::size_t>(stage)].reached;
  return number < reached.size() && reached[number] != 0;
}

Violations ask(const Asked& asked, int stage) {
  if (asked.cases(stage) == 0) return {};
  if (stage == 0) return asked.check->run_saved();
  const Range range = range_of(*asked.check, stage);
  return asked.check->run(range.first, range.step, range.count);
}

void measure(std::vector<Asked>& checks, unsigned jobs) {
  const auto fill = [&](std::size_t i, const Measured& measured, int status) {
    Asked& asked = checks[i];
    const std::string& name = asked.check->name();
    if (measured.done != stages) {
      throw std::runtime_error(
          fmt::format("{} ended in stage {} with status {}: {}", name, measured.done, status, measured.thrown));
    }
    for (int stage = 0; stage < stages; ++stage) {
      const Measured::Stage& from = measured.of[stage];
      Asked::Stage& to = asked.of[static_cast<std::size_t>(stage)];
      to.seconds = from.seconds;
      to.violated.assign(from.violated, from.violated + from.positions);
      to.reached.assign(from.reached, from.reached + mutation::most);
      for (std::size_t k = 0; k < to.violated.size(); ++k) {
        const Claim& claim = asked.check->claims()[asked.claim_of(k)];
        if (to.violated[k] && !claim.expected_refuted) {
          throw std::runtime_error(fmt::format("{}/{} is violated without a mutant", name, claim.id));
        }
      }
    }
  };
  in_children<Measured>(
      checks.size(), jobs, [&](std::size_t i, Measured& measured) { measure_one(checks[i], measured); }, fill);
}

}  // namespace mutate
