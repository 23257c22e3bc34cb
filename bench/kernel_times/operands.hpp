#pragma once
// Operands of kernel_times, which are generated in the memory of the executor.

#include <cstddef>
#include <cstdint>

#include "bench/common.hpp"
#include "kernels/gemv/mp_gemv_exact.hpp"
#include "kernels/limb/array.hpp"
#include "kernels/mp/array.hpp"

namespace assay::bench {

/// `count` entries of W words side by side: word j is 2^−53j times a number uniform in [−1/2, 1/2).
DeviceArray<double> entries(const Executor& on, int words, std::int64_t count, std::uint64_t stream);

/// The same in binary32.
DeviceArray<float> single_entries(const Executor& on, std::int64_t count, std::uint64_t stream);

/// An n × n matrix, column-major: 1 on the diagonal, outside it entries divided by n. Systems with it can be solved
/// again and again.
DeviceArray<double> near_identity(const Executor& on, int words, std::int64_t n, std::uint64_t stream);

/// Multiple-precision numbers over rns::Standard<n> in modulus planes: significands of all bits, exponents of numbers
/// uniform in [−1, 1].
class ResidueNumbers {
 public:
  ResidueNumbers(const Executor& on, int moduli, std::int64_t count, std::uint64_t stream);
  [[nodiscard]] mp::MpNumbersOn numbers() const;
  [[nodiscard]] gemv::MpPlanes planes() const;
  [[nodiscard]] gemv::MpResultPlanes result() const;

 private:
  int moduli_;
  std::size_t count_;
  DeviceArray<std::uint32_t> digits_;
  DeviceArray<std::int32_t> sign_, exponent_;
  DeviceArray<Extended> lower_, upper_;
  DeviceArray<std::int32_t> words_;
};

/// The bytes of such a number with its enclosure, and without it.
constexpr double residue_bytes(int moduli) { return 4.0 * (moduli + 1) + 8 + 2 * sizeof(Extended); }
constexpr double residue_plane_bytes(int moduli) { return 4.0 * (moduli + 1) + 4; }

/// An n × n matrix of numbers of L limbs, column-major, below 1 in magnitude outside of the diagonal, whose entries are
/// at least n.
class LimbMatrix {
 public:
  LimbMatrix(const Executor& on, int limbs, std::int64_t n);
  /// Writes the entries, again after a factorization.
  void fill() const;
  [[nodiscard]] limb::FloatPlanes planes() const {
    return {word_.data(), exponent_.data(), sign_.data(), sign_.size()};
  }

 private:
  Executor on_;
  int limbs_;
  std::int64_t n_;
  DeviceArray<std::uint32_t> word_;
  DeviceArray<std::int32_t> exponent_;
  DeviceArray<std::uint32_t> sign_;
};

/// n numbers of L limbs without values.
class LimbWorkspace {
 public:
  LimbWorkspace(const Executor& on, int limbs, std::int64_t n)
      : word_(on, static_cast<std::size_t>(n * limbs)),
        exponent_(on, static_cast<std::size_t>(n)),
        sign_(on, static_cast<std::size_t>(n)) {}
  [[nodiscard]] limb::FloatPlanes planes() const {
    return {word_.data(), exponent_.data(), sign_.data(), sign_.size()};
  }

 private:
  DeviceArray<std::uint32_t> word_;
  DeviceArray<std::int32_t> exponent_;
  DeviceArray<std::uint32_t> sign_;
};

}  // namespace assay::bench
