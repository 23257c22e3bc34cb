// assay-systematic: tries the mutants of arith/ and kernels/ against the properties of the quick tier on the host.

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/campaign/match.hpp"
#include "assay/store/corpus.hpp"
#include "properties/framework/giant.hpp"
#include "properties/framework/model.hpp"
#include "tools/mutate/run.hpp"

namespace assay::mutants {
namespace {

constexpr std::uint64_t seed = 1;

/// A property, and its saved cases.
class PropertyCheck : public mutate::Check {
 public:
  PropertyCheck(const PropertyModel& property, const std::filesystem::path& corpus) : property_(property) {
    for (const ClaimInfo& each : property.info().claims) claims_.push_back({each.id, each.expected_refuted});
    for (const store::Corpus::Entry& entry : store::Corpus(corpus).read(name()).entries) {
      Record record = store::fitted(entry.file, property).inputs;
      if (property.contains(record)) saved_.push_back(std::move(record));
    }
  }

  const std::string& name() const override { return property_.info().name; }
  const std::vector<mutate::Claim>& claims() const override { return claims_; }
  std::uint64_t cases() const override {
    return is_exhaustive() ? property_.info().enumeration_size : property_.info().quick_cases;
  }
  bool is_exhaustive() const override { return property_.info().enumeration_size != 0; }
  std::size_t saved() const override { return saved_.size(); }

  mutate::Violations run(std::uint64_t first, std::uint64_t step, std::uint64_t count) const override {
    mutate::Violations found;
    for (const ClaimTally& claim : property_.run(Executor::host(), seed, {first, step, count}, {}).claims) {
      found.violated.push_back(claim.violated != 0);
      found.first.push_back(claim.first_violated);
    }
    return found;
  }

  mutate::Violations run_saved() const override {
    mutate::Violations found;
    const std::vector<CaseOutcome> outcomes = property_.judge(Executor::host(), saved_);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      for (const ClaimOutcome& claim : outcomes[i].claims) {
        found.violated.push_back(claim.applies && claim.judgement.verdict == Verdict::violated);
        found.first.push_back(i);
      }
    }
    return found;
  }

  std::uint64_t hash_of_results(std::uint64_t count) const override {
    constexpr std::uint64_t batch = 1024;
    std::uint64_t hash = 0;
    std::vector<Record> cases;
    for (std::uint64_t number = 0; number < count; ++number) {
      if (std::optional<Record> made = property_.make(seed, number)) cases.push_back(std::move(*made));
      if (cases.size() < batch && number + 1 < count) continue;
      for (const Words& words : property_.evaluate(Executor::host(), cases)) {
        for (const std::uint64_t bits : words.bits) hash = (hash ^ bits) * 0x9E3779B97F4A7C15u + (hash >> 29);
      }
      cases.clear();
    }
    return hash;
  }

 private:
  const PropertyModel& property_;
  std::vector<mutate::Claim> claims_;
  std::vector<Record> saved_;
};

/// The properties of the quick tier that run on the host. Patterns as in `assay check`; none: all.
std::vector<const mutate::Check*> quick_checks(const std::vector<std::string>& patterns,
                                               const std::filesystem::path& corpus) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 20;  // enumeration of the quick tier
  static std::vector<std::unique_ptr<PropertyCheck>> all;
  std::vector<const mutate::Check*> chosen;
  for (const auto& each : properties()) {
    const PropertyInfo& info = each->info();
    if (!info.runs_on("host") || info.enumeration_size > largest || giant_need(info.name) != nullptr) continue;
    if (!patterns.empty() && campaign::selected_claims(info, patterns).empty()) continue;
    chosen.push_back(all.emplace_back(std::make_unique<PropertyCheck>(*each, corpus)).get());
  }
  return chosen;
}

}  // namespace
}  // namespace assay::mutants

int main(int argc, char** argv) {
  return mutate::run(argc, argv, {
    .list = ASSAY_MUTANTS_TREE "/mutants.json", .tree = ASSAY_MUTANTS_TREE, .source = ASSAY_MUTANTS_SOURCE,
    .reasons = ASSAY_MUTANTS_SOURCE "/docs/mutation_survivors.md", .corpus = ASSAY_MUTANTS_SOURCE "/corpora",
    .compiler = ASSAY_MUTANTS_COMPILER, .second_compiler = ASSAY_MUTANTS_SECOND_COMPILER,
    .unit_tests = {ASSAY_MUTANTS_UNIT_TESTS}, .assertions = "tests/constants/",
#if defined(__GNUC__) && !defined(__clang__)
    // As in tests/constants/CMakeLists.txt; a limit for an evaluation that never ends.
        .assertion_options = {"-fimplicit-constexpr", "-fconstexpr-ops-limit=33554432"},
#else
                      .assertion_options = {},
#endif
    .checks = assay::mutants::quick_checks
  });
}
