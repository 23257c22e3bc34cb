#pragma once
// The bits of a kernel's results against those that a file keeps of an earlier run: `check --digests`.

#include <string>
#include <vector>

#include "assay/campaign/campaign.hpp"
#include "assay/cli/options.hpp"
#include "assay/store/digests.hpp"
#include "assay/store/summary.hpp"

namespace assay::cli {

/// The file of digests of a check. With options that name none it does nothing.
class DigestFile {
 public:
  /// Reads the file where it is there. Errors: store::DamagedFile; UsageError where it has no row of a planned
  /// property, or one of another seed or number of cases.
  DigestFile(const Options& options, const std::vector<campaign::Planned>& plan);
  /// Computes the results of the plan once more, and compares their digests with the file, or with those of an executor
  /// before. Adds a row to the summary for each comparison. Returns an exit code.
  [[nodiscard]] int ask(const Options& options, const std::vector<campaign::Planned>& plan, store::Summary& summary);
  /// Prints a line for each row, and writes the file where it is missing. Errors: store::OutputError.
  void finish(const Options& options) const;

 private:
  bool is_there_ = false;
  store::Digests digests_;
  std::string lines_;
};

}  // namespace assay::cli
