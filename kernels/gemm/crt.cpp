#include "kernels/gemm/crt.hpp"

#include <mutex>

#include "arith/bits/ceil_div.hpp"
#include "kernels/gemm/detail/crt_engine.hpp"

namespace assay::gemm {
namespace detail {
namespace {

/// The digits of an integer: digit k is a multiple of 2^(41k) of at most 41 bits. Digits are balanced, and the last one
/// takes the rest.
template <int L>
void balanced_digits(const std::uint32_t* words, double* digit) {
  constexpr int bits = CrtTable<L>::digit_bits;
  std::int64_t carry = 0;
  for (int k = 0; k < L; ++k) {
    std::uint64_t part = limb::bits_at(words, crt::most_words, bits * k);
    if (k < L - 1) part &= (std::uint64_t{1} << bits) - 1;
    std::int64_t value = static_cast<std::int64_t>(part) + carry;
    carry = 0;
    if (k < L - 1 && value >= std::int64_t{1} << (bits - 1)) {
      value -= std::int64_t{1} << bits;
      carry = 1;
    }
    digit[k] = scaled_by(static_cast<double>(value), bits * k);
  }
}

template <int L>
void queue_first_look(const Executor& on, const CrtPanel& panel, const crt::Basis& basis) {
  using Kernel = CrtCombinationKernel<L>;
  Kernel kernel{};
  kernel.panel = panel;
  kernel.row_tiles = bits::ceil_div(panel.rows, Kernel::threads);
  kernel.table.count = basis.count;
  for (int i = 0; i < basis.count; ++i) {
    const std::int32_t m = basis.modulus[i];
    const int shift = reciprocal_shift(m);
    kernel.table.modulus[i] = m;
    kernel.table.reciprocal[i] = static_cast<std::int32_t>((std::int64_t{1} << (32 + shift)) / m);
    kernel.table.shift[i] = shift;
    kernel.table.inverse[i] = 1.0f / static_cast<float>(m);
    balanced_digits<L>(basis.cofactor[i], kernel.table.weight[i]);
  }
  balanced_digits<L>(basis.product, kernel.table.product);
  queue_blocks(on, std::size_t{kernel.row_tiles} * panel.columns, kernel);
}

}  // namespace

const crt::Basis& crt_basis(int count) {
  static std::once_flag made[crt::most_moduli + 1];
  static crt::Basis bases[crt::most_moduli + 1];
  std::call_once(made[count], [count] { bases[count] = crt::basis(count); });
  return bases[count];
}

double crt_log2_product(int count) {
  static const std::vector<double> sums = [] {
    std::vector<double> made{0};
    for (int i = 0; i < crt::most_moduli; ++i) {
      made.push_back(made.back() + std::log2(static_cast<double>(crt::modulus(i))));
    }
    return made;
  }();
  return sums[static_cast<std::size_t>(count)] - 0x1p-40;
}

void queue_crt_looks(const Executor& on, const CrtPanel& panel, int count) {
  const crt::Basis& of = crt_basis(count);
  if (count <= CrtTable<3>::most_count) {
    queue_first_look<3>(on, panel, of);
  } else if (count <= CrtTable<4>::most_count) {
    queue_first_look<4>(on, panel, of);
  } else if (count <= CrtTable<5>::most_count) {
    queue_first_look<5>(on, panel, of);
  } else {
    queue_first_look<9>(on, panel, of);
  }
  const std::size_t threads = std::min(CrtSecondLook::most_threads, std::size_t{panel.rows} * panel.columns);
  queue_indices(on, threads, CrtSecondLook{panel, of, threads});
}

void crt_scale_c(const Executor& on, const GemmArguments& g) {
  queue_indices(on, static_cast<std::size_t>(g.m) * static_cast<std::size_t>(g.n), CrtScaleC{g.c, g.ldc, g.m, g.beta});
}

std::size_t crt_recompute(const Executor& on, const GemmArguments& g, const std::uint32_t* undecided,
                          std::uint64_t count, std::size_t budget) {
  const std::uint64_t words = (static_cast<std::uint64_t>(g.m) * static_cast<std::uint64_t>(g.n) + 31) / 32;
  // Bits are taken in chunks. The list has room for a chunk even if all of its bits are set.
  const std::uint64_t room =
      std::max<std::uint64_t>(32, std::min<std::uint64_t>((budget - crt_least_recompute) / 16, std::uint64_t{1} << 27));
  const std::uint64_t chunk = count <= room ? words : room / 32;
  const auto capacity = static_cast<std::size_t>(std::min(count, 32 * chunk));
  const std::size_t bytes = Workspace::bytes_of<std::uint64_t>(capacity) + Workspace::bytes_of<std::uint32_t>(1);
  const std::size_t rest = std::min({budget / 4, recompute_default_workspace, budget - bytes});
  Workspace memory(on, bytes);
  auto* list = memory.take<std::uint64_t>(capacity);
  auto* listed = memory.take<std::uint32_t>(1);
  for (std::uint64_t first = 0; first < words; first += chunk) {
    const auto size = static_cast<std::size_t>(std::min(chunk, words - first));
    fill_bytes(on, listed, 0, sizeof(std::uint32_t));
    queue_indices(on, size, CrtListUndecided{undecided, first, listed, list});
    std::uint32_t number = 0;
    copy_from(on, &number, listed, sizeof number);
    if (number != 0) recompute_entries(on, g, g.c, list, number, rest);
  }
  return bytes + rest;
}

}  // namespace detail

GemmCrtReport gemm_crt(const Executor& on, const GemmArguments& g, const GemmOptions& options) {
  return detail::gemm_crt(on, g, options);
}

}  // namespace assay::gemm
