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

/// A number in decimal: all its digits where they are few, else 25 of them; "beyond 2^100000" or "within 2^-100000"
/// where it is so large or so small.
std::string decimal_of(const oracle::Dyadic& x);
/// That of a pattern: inf and nan, too.
std::string decimal_of(const oracle::Format& format, std::uint64_t bits);
/// An error in four digits.
std::string short_decimal(const oracle::Dyadic& x);

/// The inputs of the record, all of them.
std::vector<store::Explanation::Input> inputs_of(const Record& record);

/// Fills inputs, exact, steps, causes and says. `got`: the kernel's pattern in the tape's format.
///
/// The origin of the error is the rounding with the largest share, or the first step that gives no number. It is a lost
/// term where a sum is one of its two terms, an underflow where the value lies below the smallest normal number, else a
/// rounding. A cancellation of 3 bits or more behind it, the largest one, is told as the second cause: there the error
/// is as many bits larger beside the number. other_kernel: the kernel errs more than four times as much as these steps.
void explain(const Tape& tape, std::optional<std::uint64_t> got, store::Explanation& into);

}  // namespace assay::explain
