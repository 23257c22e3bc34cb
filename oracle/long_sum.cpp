#include "oracle/long_sum.hpp"

#include <algorithm>
#include <cstddef>

namespace assay::oracle {

LongSum::LongSum() : buckets_(static_cast<std::size_t>(2 * (largest - least + 1))) {}

Dyadic LongSum::total(bool negative) const {
  Dyadic all = flushed_[negative ? 1 : 0];
  Dyadic part;
  for (std::size_t i = negative ? 1 : 0; i < buckets_.size(); i += 2) {
    if (buckets_[i] == 0) continue;
    const long e = static_cast<long>(i / 2) + least;
    part.assign(false, static_cast<std::uint64_t>(buckets_[i] >> 64), e + 64);
    all += part;
    part.assign(false, static_cast<std::uint64_t>(buckets_[i]), e);
    all += part;
  }
  return all;
}

void LongSum::flush() {
  for (const bool negative : {false, true}) flushed_[negative ? 1 : 0] = total(negative);
  std::ranges::fill(buckets_, 0);
  terms_ = 0;
}

void LongSum::add(const LongSum& other) {
  for (const bool negative : {false, true}) flushed_[negative ? 1 : 0] += other.total(negative);
}

}  // namespace assay::oracle
