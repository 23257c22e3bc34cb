#pragma once
// Reductions of arrays of any length whose results are judged where the arrays lie: no case holds them.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "errorbounds/judgement.hpp"
#include "oracle/term_totals.hpp"

namespace assay {

/// What a contract says of a result.
struct ToldInPlace {
  std::string claim;            ///< the claim that was judged: `exceptional` where terms are infinite or NaN
  bool applies = true;          ///< it says something
  std::string preconditions{};  ///< what it asks; why it says nothing
  Judgement judgement{};
  std::string exact{};
  std::optional<double> ulps{};
  double bound = std::numeric_limits<double>::quiet_NaN();
};

/// An operation that reads `arrays` vectors, and whose result is one number, or as many as a vector has: `is_vector`.
/// judge(contract, format, vectors, n, whole, got): of the result for vectors of n numbers; nothing for a contract that
/// is about more than the numbers of this result. `whole`: so many numbers the kernel had; of a vector result the first
/// n are judged.
struct InPlace {
  std::size_t arrays;
  bool is_vector;
  std::optional<ToldInPlace> (*judge)(std::string_view contract, const std::string& format,
                                      std::span<const oracle::Strided> vectors, std::size_t n, std::size_t whole,
                                      const oracle::Strided& got);
};

/// That of the operation of that name; null for an operation that only cases are judged of.
const InPlace* in_place(std::string_view operation);

/// A namespace-scope InPlaceRegistration adds an operation to the program before main.
class InPlaceRegistration {
 public:
  InPlaceRegistration(const char* operation, InPlace judge);
};

}  // namespace assay
