#include "bench/kernel_times/operands.hpp"

#include "arith/residues/mp_number.hpp"
#include "exec/launch.hpp"
#include "kernels/mp/launch.hpp"

namespace assay::bench {
namespace {

template <class T>
struct EntryFill {
  T* x;
  int words;
  std::uint64_t stream;
  ASSAY_HD void operator()(std::size_t i) const {
    const double scale[] = {1, 0x1p-53, 0x1p-106, 0x1p-159};
    x[i] =
        static_cast<T>((random_uniform(stream_begin(stream) + i) - 0.5) * scale[i % static_cast<std::size_t>(words)]);
  }
};

struct NearIdentityFill {
  double* a;
  int words;
  std::int64_t n;
  ASSAY_HD void operator()(std::size_t k) const {
    const auto i = static_cast<std::int64_t>(k) % n;
    const bool diagonal = static_cast<std::int64_t>(k) / n == i;
    for (int j = 0; j < words; ++j) {
      double& word = a[k * static_cast<std::size_t>(words) + static_cast<std::size_t>(j)];
      word = diagonal ? (j == 0 ? 1.0 : 0.0) : word / static_cast<double>(n);
    }
  }
};

/// A negative exponent with the probabilities of a number uniform in [−1, 1].
ASSAY_HD int random_exponent(std::uint64_t random) {
  int e = 0;
  while (e < 60 && (random >> (e + 1) & 1) == 0) ++e;
  return -e;
}

template <class Set>
struct ResidueFill {
  mp::MpView<Set> x;
  std::int32_t* words;
  std::uint64_t stream;
  ASSAY_HD void operator()(std::size_t k) const {
    constexpr int bits = mp::significand_bits<Set> - 1;
    constexpr int limbs = (bits + 31) / 32;
    const std::uint64_t first = stream_begin(stream) + 64 * k;
    std::uint32_t limb[limbs];
    for (int i = 0; i < limbs; ++i) limb[i] = static_cast<std::uint32_t>(random_word(first + static_cast<unsigned>(i)));
    constexpr int top = bits - 32 * (limbs - 1);
    limb[limbs - 1] = limb[limbs - 1] >> (32 - top) | 1u << (top - 1);
    const std::uint64_t z = random_word(first + 63);
    const mp::Number<Set> number =
        mp::from_limbs<Set>(limb, limbs, std::int64_t{random_exponent(z)} - bits, (z & 1) != 0);
    x.store(k, number);
    words[k] = 2 * number.exponent + number.sign;
  }
};

struct LimbFill {
  limb::FloatPlanes x;
  int limbs;
  std::int64_t n;
  ASSAY_HD void operator()(std::size_t i) const {
    const std::uint64_t first = 128 * i;
    for (int k = 0; k < limbs; ++k) {
      x.word[static_cast<std::size_t>(k) * x.plane + i] =
          static_cast<std::uint32_t>(random_word(first + static_cast<unsigned>(k)));
    }
    x.word[static_cast<std::size_t>(limbs - 1) * x.plane + i] |= 1u << 31;
    const std::uint64_t z = random_word(first + 127);
    const bool diagonal = static_cast<std::int64_t>(i) % (n + 1) == 0;
    int log = 0;
    while ((std::int64_t{1} << log) < n) ++log;
    x.exponent[i] = diagonal ? log + 1 : random_exponent(z);
    x.sign[i] = diagonal ? 0 : static_cast<std::uint32_t>(z & 1);
  }
};

}  // namespace

DeviceArray<double> entries(const Executor& on, int words, std::int64_t count, std::uint64_t stream) {
  DeviceArray<double> x(on, static_cast<std::size_t>(count * words));
  queue_indices(on, x.size(), EntryFill<double>{x.data(), words, stream});
  return x;
}

DeviceArray<float> single_entries(const Executor& on, std::int64_t count, std::uint64_t stream) {
  DeviceArray<float> x(on, static_cast<std::size_t>(count));
  queue_indices(on, x.size(), EntryFill<float>{x.data(), 1, stream});
  return x;
}

DeviceArray<double> near_identity(const Executor& on, int words, std::int64_t n, std::uint64_t stream) {
  DeviceArray<double> a = entries(on, words, n * n, stream);
  queue_indices(on, static_cast<std::size_t>(n * n), NearIdentityFill{a.data(), words, n});
  return a;
}

ResidueNumbers::ResidueNumbers(const Executor& on, int moduli, std::int64_t count, std::uint64_t stream)
    : moduli_(moduli),
      count_(static_cast<std::size_t>(count)),
      digits_(on, count_ * static_cast<std::size_t>(moduli + 1)),
      sign_(on, count_),
      exponent_(on, count_),
      lower_(on, count_),
      upper_(on, count_),
      words_(on, count_) {
  mp::with_moduli(moduli, "kernel_times", [&]<class Set>(Set) {
    queue_indices(on, count_, ResidueFill<Set>{numbers().view<Set>(), words_.data(), stream});
  });
}

mp::MpNumbersOn ResidueNumbers::numbers() const {
  return {moduli_, digits_.data(), sign_.data(), exponent_.data(), lower_.data(), upper_.data(), 1, count_};
}

gemv::MpPlanes ResidueNumbers::planes() const {
  return {digits_.data(), words_.data(), static_cast<std::int64_t>(count_)};
}

gemv::MpResultPlanes ResidueNumbers::result() const {
  return {digits_.data(), sign_.data(),  exponent_.data(),
          lower_.data(),  upper_.data(), static_cast<std::int64_t>(count_)};
}

LimbMatrix::LimbMatrix(const Executor& on, int limbs, std::int64_t n)
    : on_(on),
      limbs_(limbs),
      n_(n),
      word_(on, static_cast<std::size_t>(n * n * limbs)),
      exponent_(on, static_cast<std::size_t>(n * n)),
      sign_(on, static_cast<std::size_t>(n * n)) {
  fill();
}

void LimbMatrix::fill() const { queue_indices(on_, static_cast<std::size_t>(n_ * n_), LimbFill{planes(), limbs_, n_}); }

}  // namespace assay::bench
