#pragma once
// What happens in a case, in words.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/explain/tape.hpp"
#include "assay/store/explanation.hpp"
#include "properties/framework/record.hpp"

namespace assay::explain {

/// A number in decimal: all its digits if they are few, otherwise 25 of them. A very large or very small number is
/// "beyond 2^100000" or "within 2^-100000".
std::string decimal_of(const oracle::Dyadic& x);
/// The decimal of a pattern of the format, also of infinities and NaNs.
std::string decimal_of(const oracle::Format& format, std::uint64_t bits);
/// An error with four digits.
std::string short_decimal(const oracle::Dyadic& x);

/// All inputs of the record.
std::vector<store::Explanation::Input> inputs_of(const Record& record);

/// Fills inputs, exact, steps, causes and says. `got`: the kernel's bit pattern in the tape's format.
///
/// The origin of the error is the rounding with the largest share, or the first step that gives no number. The cause is
/// lost_term if a sum equals one of its two terms, underflow if the value is below the smallest normal number, else
/// rounding. The second cause is the largest cancellation of 3 bits or more after the origin: it raises the relative
/// error by as many bits. other_kernel: the kernel errs more than four times as much as these steps.
void explain(const Tape& tape, std::optional<std::uint64_t> got, store::Explanation& into);

}  // namespace assay::explain
