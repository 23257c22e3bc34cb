#include "properties/framework/record.hpp"

#include <bit>
#include <cstdlib>
#include <optional>

#include "properties/framework/number_parts.hpp"

template class std::vector<assay::FieldValue>;
template class std::vector<assay::Record>;

namespace assay {

Complexity complexity(const Record& record) {
  Complexity total;
  std::optional<long> leading;
  for (const FieldValue& field : record.fields) {
    const Words* words = std::get_if<Words>(&field.value);
    if (words == nullptr) {
      total.integers += static_cast<std::uint64_t>(std::abs(std::get<std::int64_t>(field.value)));
      continue;
    }
    for (const std::uint64_t bits : words->bits) {
      ++total.numbers;
      total.non_zero += bits != 0 ? 1 : 0;
      total.negative += (bits & words->format.sign_mask()) != 0 ? 1 : 0;
      if (!oracle::is_finite(words->format, bits)) {
        ++total.special;
      } else if (const auto parts = parts_of(words->format, bits)) {
        total.significant_bits += static_cast<std::uint64_t>(std::bit_width(parts->significand));
        total.set_bits += static_cast<std::uint64_t>(std::popcount(parts->significand));
        const long distance = std::labs(parts->leading() - leading.value_or(0));
        leading = leading.value_or(parts->leading());
        total.exponents += static_cast<std::uint64_t>(distance);
      }
    }
  }
  return total;
}

}  // namespace assay
