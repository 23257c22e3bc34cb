#pragma once
// The exit code of a summary, of one run or merged from several.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "assay/store/summary.hpp"

namespace assay::report {

/// Whether the summary has all cases that were requested for this property, all shards together.
bool is_whole(const store::PropertySummary& property);

/// "328 properties have fewer cases than in the quick tier, as --numbers or --cases asked."; empty for none.
std::string describe_fewer_cases(const store::Summary& summary);

/// Whether every input of the property's finite domain was tested: claims that hold are then proved for this build.
bool was_exhausted(const store::PropertySummary& property);

/// How many claims are proved for this build: they hold for all inputs of an exhausted property; a claim on two
/// executors counts twice. Claims made of every property do not count.
struct Proofs {
  std::uint64_t claims = 0;
  std::uint64_t properties = 0;  ///< that have such a claim
};
Proofs proofs(const store::Summary& summary);

/// "1 234 claims of 56 properties are proved for this build: they hold for all inputs of their domains."; empty for
/// none.
std::string describe(const Proofs& proofs);

/// The gravest exit code of the verdicts, also of results that have other bits than those of another executor or of a
/// file of digests. A negative control that was not refuted counts outside the quick tier, and
/// from the property's quick number of cases on; a claim without a verdict counts if the property is whole.
int exit_code(const store::Summary& summary);

/// The properties for which a run of shard `index` of `count` has fewer or more cases than its share, one line each;
/// not those that were ended by the time limit or stopped by a crash.
std::vector<std::string> wrong_shares(const store::Summary& summary, std::uint64_t index, std::uint64_t count);

/// The reasons for exit code 3 that no verdict shows, one line each: counts of cases that do not add up; witnesses that
/// refute a negative control by another ratio than the one that they store; where a
/// property is whole and all its claims were asked for, its inadequacies and the claims that judged no case; and, in
/// the quick tier with the default seed, blind claims and reasons that no theorem needs. A property that this program
/// does not know has no inadequacies.
std::vector<std::string> shortcomings(const store::Summary& summary);

/// A claim is blind if it holds, but no case comes near to its bound, or to one of the named terms of its bound.
struct Blind {
  std::string property;
  std::string claim;
  std::string executor;
  std::string theorem;
  std::string term;  ///< empty for the bound as a whole
  double ratio = 0;  ///< the largest error/bound, or how much of the term the errors need
};

/// The least tightness at which a claim or a term is not blind.
inline constexpr double least_tightness = 0.1;

/// The seed of a run without the option --seed. The quick tier with this seed gives the same figures in every run:
/// other cases may stay just below the least tightness.
inline constexpr std::uint64_t default_seed = 1;

/// The blind claims and terms in the order of the summary: of each property that is whole and had its quick number of
/// cases or more, the claims that hold, were judged by error/bound, and whose theorem has no `Loose because`. Kernels
/// from outside do not count: they may be more accurate than they promise.
std::vector<Blind> blind_terms(const store::Summary& summary);

/// The theorems, in their order, that name a reason of looseness and do not need it: the summary has all claims of this
/// program that cite the theorem, as for blind_terms(); the theorem's page names one of them; none of them is blind.
std::vector<std::string> superfluous_reasons(const store::Summary& summary);

/// The theorems of the summary's claims that name a reason of looseness, with the reason.
std::map<std::string, std::string> reasons(const store::Summary& summary);

/// "sum.sum2/error on host: γ²S reaches 0.006 (sum.sum2.1)".
std::string describe(const Blind& blind);

/// The text that explains a blind line.
extern const char* const blind_legend;

}  // namespace assay::report
