#pragma once
// The properties and claims that the command line names.

#include <cstdint>
#include <vector>

#include "assay/cli/options.hpp"
#include "properties/framework/model.hpp"

namespace assay::cli {

/// A property with its claims that were selected, in the order of PropertyInfo::claims.
struct Selected {
  const PropertyModel* property;
  std::vector<bool> claims;  ///< empty: all
};

/// The properties that match the patterns of the arguments and none of --exclude, sorted by name. Errors: UsageError
/// for a pattern that matches nothing.
std::vector<Selected> select(const Options& options);
/// The same, for a run that keeps cases if --update-corpus is given. Errors: as select(); UsageError if there is no
/// corpus to keep them in.
std::vector<Selected> select_to_run(const Options& options);

/// The number of cases that the tier or --cases gives a property.
std::uint64_t cases_of(const PropertyInfo& info, const Options& options);
/// The number of cases that a run draws for a property. With --numbers N it is at most as many as have N numbers
/// together if they are as large as the first ones, but at least 200, in whole rounds of the classes of inputs. A
/// property with a claim that is expected to be refuted keeps its number: rare cases may refute it.
std::uint64_t cases_to_run(const PropertyModel& property, const Options& options);

}  // namespace assay::cli
