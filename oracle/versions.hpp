#pragma once

#include <map>
#include <string>

namespace assay::oracle {

/// The versions of the libraries that the truth rests on, as loaded: "GMP", "MPFR", "FLINT".
std::map<std::string, std::string> library_versions();

}  // namespace assay::oracle
