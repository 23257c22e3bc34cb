#pragma once

#include <cstdint>
#include <string_view>

namespace assay {

/// The 64-bit FNV-1a hash of the bytes: of a property's name in the key of its cases, of a case in the name of its
/// file. Fowler, Noll, Vo; offset basis 14695981039346656037, prime 1099511628211.
constexpr std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : bytes) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return hash;
}

}  // namespace assay
