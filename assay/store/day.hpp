#pragma once
// Days as text in documents: "2026-11-24", UTC.

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::store {

/// The day of a time in seconds since 1970.
std::string day_of(std::uint64_t seconds);

/// The present day.
std::string today();

/// Whether a text is four digits, two and two with hyphens between.
bool is_day(std::string_view text);

}  // namespace assay::store
