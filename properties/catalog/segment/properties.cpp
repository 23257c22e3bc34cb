// Sums of segments, and scatter-add.

#include "properties/catalog/segment/properties.hpp"

namespace assay::segment {
namespace {

template <FloatingPoint T>
void register_all() {
  using Numbers = std::span<const T>;
  Registration(
      scatter_property<T>("segment.scatter_add", [](const Executor& on, Numbers x, std::span<const std::int32_t> index,
                                                    Numbers y) { return scatter_add<T>(on, x, index, y); }));
  Registration(segmented_property<T>("segment.segmented_sum",
                                     [](const Executor& on, Numbers x, std::span<const std::int64_t> offsets) {
                                       return segmented_sum<T>(on, x, offsets);
                                     }));
}

const LateRegistration binary64_family{"segment", register_all<double>};
const LateRegistration binary32_family{"segment", register_all<float>};

}  // namespace
}  // namespace assay::segment
