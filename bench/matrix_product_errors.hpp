#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace assay::bench {

/// The largest errors found among sampled entries of a product Ĉ, for display.
struct SampledErrors {
  double scaled = 0;    ///< |ĉ − c| / Σ|ab|
  double relative = 0;  ///< |ĉ − c| / |c|
};

/// The exact values of `count` entries of AB at random places, A and B n × n, column-major.
class ExactSample {
 public:
  ExactSample(std::size_t n, std::span<const double> a, std::span<const double> b, std::size_t count);
  ~ExactSample();
  ExactSample(const ExactSample&) = delete;
  ExactSample& operator=(const ExactSample&) = delete;

  [[nodiscard]] SampledErrors errors(std::span<const double> c) const;

 private:
  struct Entries;
  std::unique_ptr<Entries> entries_;
};

}  // namespace assay::bench
