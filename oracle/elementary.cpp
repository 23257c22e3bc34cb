#include "oracle/elementary.hpp"

namespace assay::oracle {

Ball exp(const Ball& x, long bits) {
  Ball result;
  arb_exp(result.get(), x.get(), bits);
  return result;
}

Ball log1p(const Ball& x, long bits) {
  Ball result;
  arb_log1p(result.get(), x.get(), bits);
  return result;
}

}  // namespace assay::oracle
