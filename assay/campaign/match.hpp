#pragma once
// Texts of the command line: patterns, misspelled names, durations, sizes, shards.

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/campaign/campaign.hpp"
#include "properties/framework/nearest.hpp"

namespace assay::campaign {

/// Whether a text has the form of a pattern, such as dw.*.
bool matches(const std::string& pattern, const std::string& text);

/// The claims of a property that the patterns select: `family.kernel` selects all, `family.kernel/claim` some. Empty if
/// the property is not selected.
std::vector<bool> selected_claims(const PropertyInfo& info, std::span<const std::string> patterns);

using assay::nearest;

/// "250ms", "10s", "30m", "2h"; a bare number is seconds. Empty for any other text.
std::optional<std::chrono::milliseconds> parse_duration(const std::string& text);
/// "4G", "512M", "64K", "1000": powers of 1024. Empty for any other text.
std::optional<std::uint64_t> parse_bytes(const std::string& text);
/// "i/n" with 0 ≤ i < n.
std::optional<Shard> parse_shard(const std::string& text);
/// A decimal number without sign.
std::optional<std::uint64_t> parse_count(const std::string& text);

}  // namespace assay::campaign
