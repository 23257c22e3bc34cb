// Sums of segments, and scatter-add.

#include "properties/catalog/segment/properties.hpp"

namespace assay::segment {
namespace {

using Numbers = std::span<const double>;

const LateRegistration all{
    "segment", [] {
      Registration(
          scatter_property("segment.scatter_add", [](const Executor& on, Numbers x, std::span<const std::int32_t> index,
                                                     Numbers y) { return scatter_add(on, x, index, y); }));
      Registration(segmented_property("segment.segmented_sum",
                                      [](const Executor& on, Numbers x, std::span<const std::int64_t> offsets) {
                                        return segmented_sum(on, x, offsets);
                                      }));
    }};

}  // namespace
}  // namespace assay::segment
