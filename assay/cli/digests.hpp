#pragma once
// The bits of a kernel's results against those that a file keeps of an earlier run: `check --digests`.

#include <vector>

#include "assay/campaign/campaign.hpp"
#include "assay/cli/options.hpp"
#include "assay/store/digests.hpp"

namespace assay::cli {

/// The file of digests of a check. With options that name none it does nothing.
class DigestFile {
 public:
  /// Reads the file where it is there. Errors: store::DamagedFile; UsageError where it has no row of a planned
  /// property, or one of another seed or number of cases.
  DigestFile(const Options& options, const std::vector<campaign::Planned>& plan);
  /// Computes the results of the plan once more, and compares their digests with the file, or writes it. Prints a line
  /// for each property and executor. Returns an exit code. Errors: store::OutputError.
  [[nodiscard]] int ask(const Options& options, const std::vector<campaign::Planned>& plan);

 private:
  bool is_there_ = false;
  store::Digests digests_;
};

}  // namespace assay::cli
