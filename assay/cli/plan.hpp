#pragma once

#include <span>

#include "assay/campaign/campaign.hpp"
#include "assay/cli/options.hpp"

namespace assay::cli {

/// The output of `check --dry-run`: for each property its cases of this shard, and an estimate of their time on one
/// worker and of a worker's memory, from a few cases that are run. Nothing is written. Returns the exit code.
int print_plan(std::span<const campaign::Planned> plan, const Options& options);

}  // namespace assay::cli
