#pragma once
// How a kernel from outside is called, in words.

#include <string>

#include "properties/framework/operation.hpp"

namespace assay::doors {

/// "double my_dot(size_t n, const double* x, const double* y)": the declaration of the operation's functions of that
/// form, with the symbol and the types of the format. Empty if the operation has no function of the form.
std::string declaration_of(const Operation& operation, const std::string& format, const std::string& symbol,
                           CallForm form);

}  // namespace assay::doors
