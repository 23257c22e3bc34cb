#include "oracle/versions.hpp"

#include <gmp.h>
#include <mpfr.h>

#include "oracle/flint.hpp"

namespace assay::oracle {

std::map<std::string, std::string> library_versions() {
  return {{"GMP", gmp_version}, {"MPFR", mpfr_get_version()}, {"FLINT", FLINT_VERSION}};
}

}  // namespace assay::oracle
