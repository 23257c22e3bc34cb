#pragma once

#include <cstring>
#include <tuple>
#include <type_traits>

#include "properties/framework/codec.hpp"

namespace assay {

/// Whether two fields of a case have the same bits. Requires: no bits that are not part of a value (not checked).
template <class M>
bool has_same_bits(const M& x, const M& y) {
  if constexpr (requires { x.data(); }) {
    static_assert(std::is_trivially_copyable_v<typename M::value_type>);
    return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(x[0])) == 0);
  } else {
    static_assert(std::is_trivially_copyable_v<M>);
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): zeros and NaN are compared by their bits.
    return std::memcmp(&x, &y, sizeof(M)) == 0;
  }
}

/// Whether two cases have the same fields, bit for bit.
template <HasFields C>
bool is_same_case(const C& x, const C& y) {
  return std::apply([&](const auto&... each) { return (has_same_bits(x.*(each.member), y.*(each.member)) && ...); },
                    C::fields());
}

}  // namespace assay
