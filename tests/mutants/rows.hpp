#pragma once
// Rows of the mutant catalog: a mistake planted in a kernel, and the property that must catch it. The rows of a family
// are in <family>_rows.cpp, with the promises of the family's kernels.

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/store/summary.hpp"
#include "properties/framework/model.hpp"

namespace assay::mutants {

using Row = store::Summary::MutantRow;
using Rows = std::vector<Row>;

/// A mistake by its id in the catalog, and the most significant bits that its shrunk case may have.
struct Planted {
  std::string id;
  std::string what;
  std::uint64_t most_bits = 0;
};

/// Whether kernel_row() shrinks. Without that number a mistake is caught if a claim is violated, and its row has no
/// case.
inline bool shrinks = true;

/// Runs `wrong` on the quick tier's cases on the host. The mistake is caught if a claim is violated and the shrunk case
/// has no more than `most_bits` significant bits.
Row kernel_row(const Planted& planted, const PropertyModel& wrong);

/// The promise of a kernel without a mistake. It is tested once for all mistakes of the kernel.
class RightKernel {
 public:
  /// `make()` gives the promise.
  template <std::invocable Make>
  explicit RightKernel(const Make& make) {
    struct Made {
      std::invoke_result_t<Make> promise;
    };
    const auto made = std::shared_ptr<Made>(new Made{make()});
    promise_ = std::shared_ptr<const PropertyModel>(made, &made->promise);
  }
  /// The property and the claim that the kernel breaks on the host in the quick tier; empty if it breaks none.
  const std::string& broken() const;

 private:
  std::shared_ptr<const PropertyModel> promise_;
  mutable std::optional<std::string> broken_;
};

/// The same for a kernel that is otherwise correct: the mistake does not count as caught if `right` breaks the promise,
/// too.
Row kernel_row(const Planted& planted, const PropertyModel& wrong, const PropertyModel& right);
Row kernel_row(const Planted& planted, const PropertyModel& wrong, const RightKernel& right);

/// A mistake that a device makes in its own way, tested there on the quick tier's cases. Its failing cases may pass
/// when they run again, so they are not shrunk; those of the same mistake on the host are.
Row device_row(const Planted& planted, const PropertyModel& wrong, const PropertyModel& right);

/// The rows of one kernel whose mistake is a value: `promise(mistake)` is the property.
template <class Mistake, class Promise>
Rows rows_of(const std::vector<std::pair<Planted, Mistake>>& table, const Promise& promise) {
  const RightKernel right([&] { return promise(Mistake{}); });
  Rows rows;
  for (const auto& [planted, mistake] : table) rows.push_back(kernel_row(planted, promise(mistake), right));
  return rows;
}

/// A family's rows, in the order of the catalog.
Rows error_free_rows();
Rows native_pair_rows();
Rows word_rows();
Rows expansion_rows();
Rows quad_double_rows();
Rows elementary_rows();
Rows refine_rows();
Rows rns_rows();
Rows limb_rows();
Rows mp_rows();
Rows gemv_rows();
Rows product_rows();
Rows accurate_sum_rows();
Rows binned_rows();
Rows quantizer_rows();
Rows segment_rows();
Rows scan_rows();
Rows tensor_core_rows();
/// Mistakes whose failing cases are large: only steps that change several terms at a time make them small.
Rows large_case_rows();
Rows execution_rows();
/// Mistakes in places of more than 32 bits, and in the alignment of operands.
Rows address_rows();

}  // namespace assay::mutants
