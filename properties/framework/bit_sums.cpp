#include "properties/framework/bit_sums.hpp"

#include <utility>
#include <variant>

#include "arith/bits/split_mix64.hpp"
#include "oracle/decode.hpp"
#include "properties/framework/fnv.hpp"

namespace assay {
namespace {

/// A hash of a sequence of 64-bit words. Each bit of a word affects every bit of the state, so that a sum of hashes
/// detects two changes of signs.
class Hash {
 public:
  explicit Hash(std::uint64_t first) { add(first); }
  void add(std::uint64_t word) { state_ = bits::SplitMix64{state_ ^ word}(); }
  void add(const Words& words) {
    add(words.bits.size());
    for (const std::uint64_t bits : words.bits) add(bits);
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace

void BitSums::add(std::uint64_t number, const Record& inputs_of_case, Words result) {
  Hash hash(number);
  for (const FieldValue& field : inputs_of_case.fields) {
    hash.add(fnv1a(field.name));
    if (const auto* words = std::get_if<Words>(&field.value)) {
      hash.add(*words);
    } else {
      hash.add(static_cast<std::uint64_t>(std::get<std::int64_t>(field.value)));
    }
  }
  inputs += hash.value();
  Hash of_result(number);
  of_result.add(with_one_nan(std::move(result)));
  outputs += of_result.value();
}

void BitSums::merge(const BitSums& other) {
  inputs += other.inputs;
  outputs += other.outputs;
}

Words with_one_nan(Words words) {
  for (std::uint64_t& bits : words.bits) {
    if (oracle::is_nan(words.format, bits)) bits = words.format.nan();
  }
  return words;
}

}  // namespace assay
