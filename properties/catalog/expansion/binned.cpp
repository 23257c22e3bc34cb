// The published truncated product, of operands and results of different lengths.

#include "properties/catalog/expansion/binned.hpp"

namespace assay::expansion {

namespace {

template <class T>
Registration of_lengths(WordCounts words) {
  return Registration(binned_mul<T>(words, [words](const Executor& on, std::span<const ExpansionPairCase<T>> cases) {
    const std::vector<T> x = packed_words<T>(cases, &ExpansionPairCase<T>::x);
    const std::vector<T> y = packed_words<T>(cases, &ExpansionPairCase<T>::y);
    return unpacked<T>(expansion_binned_mul<T>(on, words, x, y), static_cast<std::size_t>(words.z));
  }));
}

const LateRegistration different_lengths{"expansion", [] {
                                           of_lengths<double>({4, 2, 3});
                                           of_lengths<double>({2, 4, 4});
                                           of_lengths<double>({3, 3, 5});
                                         }};

}  // namespace

}  // namespace assay::expansion
