#include "properties/framework/property.hpp"

namespace assay {

struct Numbers {
  double a = 0;
#ifndef WRONG_USE
  static constexpr auto fields() { return std::tuple{field("a", &Numbers::a)}; }
#endif
};

using Made = Property<Numbers, double, oracle::Dyadic>;

}  // namespace assay
