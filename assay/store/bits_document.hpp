#pragma once
// The field list of the hashes of a property's inputs and results.

#include <cstdint>

#include "assay/store/document.hpp"
#include "assay/store/trait_documents.hpp"
#include "properties/framework/bit_sums.hpp"

namespace assay::store {

/// 64 bits as 16 hexadecimal digits.
struct SixteenDigits {
  static constexpr auto text = "^[0-9a-f]{16}$";
};
struct BitsInDigits : Matching<SixteenDigits> {
  static Json write(std::uint64_t bits);
  static void read(const Json& value, const Place& place, std::uint64_t& into);
};

template <>
struct Document<BitSums> {
  static constexpr auto what = "\"bits\"";
  static constexpr auto fields = std::tuple(
      field<BitsInDigits>("inputs", &BitSums::inputs),
      field<BitsInDigits>("outputs", &BitSums::outputs)
          .says("The same for the same results, bit by bit, of the same cases; any NaN counts as any other."));
};

}  // namespace assay::store
