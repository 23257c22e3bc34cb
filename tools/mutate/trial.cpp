#include "tools/mutate/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>

#include "tools/mutate/children.hpp"
#include "tools/mutate/mutation.hpp"

namespace mutate {
namespace {

/// The report of a child about a mutant. `check` and `stage` are reported before they run.
struct Trial {
  enum class End { none, survived, violated, refuted_no_more, threw };
  End end;
  std::size_t check;
  int stage;
  std::size_t claim;
  std::uint64_t case_number;
  std::size_t unasked;  ///< the times that a stage of a check was left out because time is missing
  double seconds;
  char thrown[160];
};

/// Which stage of which check killed a mutant.
struct Killer {
  std::size_t line;
  std::size_t check;
  int stage;
};

/// What killed the mutants of the nearest lines of the same file: at most three different ones, the nearest first.
std::vector<Killer> nearest_killers(std::span<const Killer> of_file, std::size_t line) {
  constexpr std::size_t most = 3;
  const auto distance = [&](const Killer& each) { return each.line > line ? each.line - line : line - each.line; };
  std::vector<Killer> sorted(of_file.begin(), of_file.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Killer& a, const Killer& b) { return distance(a) < distance(b); });
  std::vector<Killer> found;
  for (const Killer& each : sorted) {
    const bool is_there = std::any_of(found.begin(), found.end(), [&](const Killer& other) {
      return other.check == each.check && other.stage == each.stage;
    });
    if (!is_there) found.push_back(each);
    if (found.size() == most) break;
  }
  return found;
}

class Try {
 public:
  Try(int mutant, std::span<const Asked> checks, double budget, Trial& trial)
      : mutant_(mutant), checks_(checks), budget_(budget), trial_(trial), unseen_(checks.size()) {}

  /// `likely`: the checks that run first, out of turn.
  void run(std::span<const Killer> likely) {
    mutation::activate(mutant_);
    for (const Killer& each : likely) {
      const Asked& asked = checks_[each.check];
      if (!asked.reaches(mutant_, each.stage) || asked.cases(each.stage) == 0) continue;
      if (asked.of[static_cast<std::size_t>(each.stage)].seconds > budget_ / 4) continue;
      trial_.check = each.check;
      trial_.stage = each.stage;
      if (kills(each.check, each.stage, true)) return;
    }
    for (int stage = 0; stage < stages; ++stage) {
      for (const std::size_t i : reaching(mutant_, stage, checks_)) {
        trial_.check = i;
        trial_.stage = stage;
        if (stage > 1 && processor_seconds() > budget_) {
          ++trial_.unasked;
        } else if (kills(i, stage, false)) {
          return;
        }
      }
    }
    trial_.end = Trial::End::survived;
  }

 private:
  /// Out of turn a claim that is refuted no more says nothing: other stages may refute it.
  bool kills(std::size_t i, int stage, bool out_of_turn) {
    const Asked& asked = checks_[i];
    const Asked::Stage& right = asked.of[static_cast<std::size_t>(stage)];
    limit_step(10 * right.seconds + 2);
    Violations found;
    try {
      found = ask(asked, stage);
    } catch (const std::exception& error) {
      std::snprintf(trial_.thrown, sizeof trial_.thrown, "%s", error.what());
      return ends(Trial::End::threw, 0, 0);
    }
    const std::vector<Claim>& claims = asked.check->claims();
    for (std::size_t k = 0; k < found.violated.size(); ++k) {
      const std::size_t claim = asked.claim_of(k);
      if (found.violated[k] && !right.violated[k] && !claims[claim].expected_refuted) {
        return ends(Trial::End::violated, claim, found.first[k]);
      }
    }
    return !out_of_turn && refutes_no_more(i, stage, found);
  }

  /// After the last stage: whether a claim that the right program refutes in this run was refuted in no stage.
  bool refutes_no_more(std::size_t i, int stage, const Violations& found) {
    const Asked& asked = checks_[i];
    std::vector<bool>& seen = unseen_[i];
    seen.resize(asked.check->claims().size());
    for (std::size_t k = 0; k < found.violated.size(); ++k) {
      if (found.violated[k]) seen[asked.claim_of(k)] = true;
    }
    if (stage + 1 != stages) return false;
    for (std::size_t claim = 0; claim < seen.size(); ++claim) {
      bool by_right = false;
      for (int s = 0; s < stages; ++s) {
        const std::vector<bool>& violated = asked.of[static_cast<std::size_t>(s)].violated;
        for (std::size_t k = claim; k < violated.size(); k += seen.size()) {
          by_right = by_right || violated[k];
          if (violated[k] && !asked.reaches(mutant_, s)) seen[claim] = true;  // not asked: as the right program
        }
      }
      if (by_right && !seen[claim]) return ends(Trial::End::refuted_no_more, claim, 0);
    }
    return false;
  }

  bool ends(Trial::End end, std::size_t claim, std::uint64_t case_number) {
    trial_.end = end;
    trial_.claim = claim;
    trial_.case_number = case_number;
    return true;
  }

  int mutant_;
  std::span<const Asked> checks_;
  double budget_;
  Trial& trial_;
  std::vector<std::vector<bool>> unseen_;  ///< by check: the claims that were violated so far
};

Result result_of(int mutant, const Trial& trial, int status, std::span<const Asked> checks) {
  Result result;
  result.number = mutant;
  result.stage = trial.stage;
  result.case_number = trial.case_number;
  result.seconds = trial.seconds;
  const Check& check = *checks[trial.check].check;
  if (trial.end == Trial::End::survived) {
    result.by = trial.unasked == 0 ? "all cases" : fmt::format("all cases but {} stages of properties", trial.unasked);
    return result;
  }
  result.outcome = Result::Outcome::killed;
  switch (trial.end) {
    case Trial::End::violated:
      result.by = check.name() + "/" + check.claims()[trial.claim].id;
      break;
    case Trial::End::refuted_no_more:
      result.by = check.name() + "/" + check.claims()[trial.claim].id + ": not refuted";
      break;
    case Trial::End::threw:
      result.by = fmt::format("{}: throws: {}", check.name(), trial.thrown);
      break;
    default:
      result.by = check.name() + (ran_too_long(status) ? ": hangs" : ": crashes");
  }
  return result;
}

}  // namespace

std::vector<std::size_t> reaching(int mutant, int stage, std::span<const Asked> checks) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    if (checks[i].reaches(mutant, stage) && checks[i].cases(stage) != 0) found.push_back(i);
  }
  const auto at = static_cast<std::size_t>(stage);
  std::stable_sort(found.begin(), found.end(),
                   [&](std::size_t a, std::size_t b) { return checks[a].of[at].seconds < checks[b].of[at].seconds; });
  return found;
}

void try_mutants(std::span<const Mutant> mutants, std::span<const Asked> checks, const TrialSettings& settings,
                 const std::function<void(const Result&)>& done) {
  std::vector<std::size_t> reached;  // places in the list
  std::vector<std::size_t> not_reached;
  for (std::size_t at = 0; at < mutants.size(); ++at) {
    const bool is_reached = std::any_of(checks.begin(), checks.end(), [&](const Asked& asked) {
      return asked.reaches(mutants[at].number, stages - 1);
    });
    (is_reached ? reached : not_reached).push_back(at);
  }
  auto next = not_reached.begin();
  const auto tell_not_reached_before = [&](std::size_t end) {
    for (; next != not_reached.end() && *next < end; ++next) {
      Result result;
      result.number = mutants[*next].number;
      result.outcome = Result::Outcome::not_reached;
      done(result);
    }
  };
  std::map<std::string, std::vector<Killer>> killers;  // by file
  in_children<Trial>(
      reached.size(), settings.jobs,
      [&](std::size_t i, Trial& trial) {
        const Mutant& mutant = mutants[reached[i]];
        Try(mutant.number, checks, settings.budget, trial)
            .run(nearest_killers(killers[mutant.file], mutant.place.line));
        trial.seconds = processor_seconds();
      },
      [&](std::size_t i, const Trial& trial, int status) {
        tell_not_reached_before(reached[i]);
        const Mutant& mutant = mutants[reached[i]];
        if (trial.end == Trial::End::violated) {
          killers[mutant.file].push_back({mutant.place.line, trial.check, trial.stage});
        }
        done(result_of(mutant.number, trial, status, checks));
      });
  tell_not_reached_before(mutants.size());
}

}  // namespace mutate
