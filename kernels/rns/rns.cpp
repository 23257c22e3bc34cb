#include "kernels/rns/rns.hpp"

#include "arith/limbs/integer.hpp"
#include "kernels/rns/detail/launch.hpp"

namespace assay::rns {
namespace detail {
namespace {

template <class Set>
ASSAY_HD rns::Residues<Set> residues_of_limbs(const RnsLimbs<Set>& x) {
  return rns::from_limbs<Set>(x.word, rns::limbs<Set>);
}

template <class Set>
ASSAY_HD RnsLimbs<Set> limbs_by_digits(const rns::Residues<Set>& x) {
  RnsLimbs<Set> z;
  rns::to_limbs(x, z.word);
  return z;
}

template <class Set>
ASSAY_HD RnsLimbs<Set> limbs_by_crt(const rns::Residues<Set>& x) {
  RnsLimbs<Set> z;
  rns::to_limbs_crt(x, z.word);
  return z;
}

template <class Set>
ASSAY_HD double nearest_double(const rns::Residues<Set>& x) {
  std::uint32_t words[rns::limbs<Set>];
  rns::to_limbs(x, words);
  return limb::nearest(words, rns::limbs<Set>, 0);
}

template <class Set>
struct FromDoubleBody {
  const double* x;
  rns::Residues<Set>* z;
  ASSAY_HD void operator()(std::size_t i) const { z[i] = rns::residues_of<Set>(x[i]); }
};

template <class Set>
struct FromExpansionBody {
  int k;
  const double* x;
  rns::Residues<Set>* z;
  std::int32_t *sign, *exponent, *fits;
  ASSAY_HD void operator()(std::size_t i) const {
    constexpr int words = rns::limbs<Set>;
    const limb::Number<words> number = limb::sum<words>(x + i * static_cast<std::size_t>(k), k);
    const bool below = limb::compare(number.word, rns::tables<Set>().product, words) < 0;
    const bool held = number.fits && below;
    z[i] = rns::from_limbs<Set>(number.word, held ? words : 0);
    sign[i] = held ? number.sign : 0;
    exponent[i] = held ? number.exponent : 0;
    fits[i] = held ? 1 : 0;
  }
};

template <class Set>
struct ToExpansionBody {
  int k;
  const rns::Residues<Set>* x;
  const std::int32_t *sign, *exponent;
  double* z;
  ASSAY_HD void operator()(std::size_t i) const {
    std::uint32_t words[rns::limbs<Set>];
    rns::to_limbs(x[i], words);
    limb::leading_words(words, rns::limbs<Set>, sign[i], exponent[i], z + i * static_cast<std::size_t>(k), k);
  }
};

std::size_t expansions_in(std::size_t words, int k) {
  if (k < 1 || words % static_cast<std::size_t>(k) != 0) {
    throw std::invalid_argument(std::to_string(words) + " numbers are not a whole number of expansions of " +
                                std::to_string(k) + " words");
  }
  return words / static_cast<std::size_t>(k);
}

}  // namespace
}  // namespace detail

std::vector<std::uint32_t> rns_op(const Executor& on, RnsOp op, int n, std::span<const std::uint32_t> x,
                                  std::span<const std::uint32_t> y) {
  switch (op) {
    case RnsOp::add:
      return detail::rns_apply(on, n, x, y, [](auto set) { return detail::RnsFunction<rns::add<decltype(set)>>{}; });
    case RnsOp::sub:
      return detail::rns_apply(on, n, x, y, [](auto set) { return detail::RnsFunction<rns::sub<decltype(set)>>{}; });
    default:
      return detail::rns_apply(on, n, x, y, [](auto set) { return detail::RnsFunction<rns::mul<decltype(set)>>{}; });
  }
}

std::vector<std::uint32_t> rns_scale_up(const Executor& on, int n, std::span<const std::uint32_t> x,
                                        std::span<const std::int32_t> k) {
  return detail::rns_apply(on, n, x, k, [](auto set) { return detail::RnsFunction<rns::scale_up<decltype(set)>>{}; });
}

std::vector<std::uint32_t> rns_from_limbs(const Executor& on, int n, std::span<const std::uint32_t> limbs) {
  return detail::rns_apply(on, n, limbs,
                           [](auto set) { return detail::RnsFunction<detail::residues_of_limbs<decltype(set)>>{}; });
}

std::vector<std::uint32_t> rns_to_limbs(const Executor& on, int n, std::span<const std::uint32_t> x) {
  return detail::rns_apply(on, n, x,
                           [](auto set) { return detail::RnsFunction<detail::limbs_by_digits<decltype(set)>>{}; });
}

std::vector<std::uint32_t> rns_to_limbs_crt(const Executor& on, int n, std::span<const std::uint32_t> x) {
  return detail::rns_apply(on, n, x,
                           [](auto set) { return detail::RnsFunction<detail::limbs_by_crt<decltype(set)>>{}; });
}

std::vector<std::uint32_t> rns_mixed_radix(const Executor& on, int n, std::span<const std::uint32_t> x) {
  return detail::rns_apply(on, n, x, [](auto set) { return detail::RnsFunction<rns::mixed_radix<decltype(set)>>{}; });
}

std::vector<double> rns_to_double(const Executor& on, int n, std::span<const std::uint32_t> x) {
  return detail::rns_apply(on, n, x,
                           [](auto set) { return detail::RnsFunction<detail::nearest_double<decltype(set)>>{}; });
}

std::vector<std::uint32_t> rns_from_double(const Executor& on, int n, std::span<const double> x) {
  return detail::with_moduli(n, [&](auto set) {
    using Set = decltype(set);
    const Array<double> a(on, x);
    const Array<std::uint32_t> z(on, x.size() * Set::size);
    launch_indices(on, x.size(),
                   detail::FromDoubleBody<Set>{a.data(), reinterpret_cast<rns::Residues<Set>*>(z.data())});
    a.compare(x);
    return z.take();
  });
}

RnsSignificands rns_from_expansion(const Executor& on, int n, int k, std::span<const double> x) {
  const std::size_t count = detail::expansions_in(x.size(), k);
  return detail::with_moduli(n, [&](auto set) {
    using Set = decltype(set);
    const Array<double> a(on, x);
    const Array<std::uint32_t> z(on, count * Set::size);
    const Array<std::int32_t> sign(on, count);
    const Array<std::int32_t> exponent(on, count);
    const Array<std::int32_t> fits(on, count);
    launch_indices(on, count,
                   detail::FromExpansionBody<Set>{k, a.data(), reinterpret_cast<rns::Residues<Set>*>(z.data()),
                                                  sign.data(), exponent.data(), fits.data()});
    a.compare(x);
    return RnsSignificands{z.take(), sign.take(), exponent.take(), fits.take()};
  });
}

std::vector<double> rns_to_expansion(const Executor& on, int n, int k, std::span<const std::uint32_t> residues,
                                     std::span<const std::int32_t> sign, std::span<const std::int32_t> exponent) {
  detail::expansions_in(0, k);
  return detail::with_moduli(n, [&](auto set) {
    using Set = decltype(set);
    const std::size_t count = detail::rns_count<rns::Residues<Set>>(residues.size());
    detail::require_count(count, sign.size());
    detail::require_count(count, exponent.size());
    const Array<std::uint32_t> a(on, residues);
    const Array<std::int32_t> s(on, sign);
    const Array<std::int32_t> e(on, exponent);
    const Array<double> z(on, count * static_cast<std::size_t>(k));
    launch_indices(on, count,
                   detail::ToExpansionBody<Set>{k, reinterpret_cast<const rns::Residues<Set>*>(a.data()), s.data(),
                                                e.data(), z.data()});
    a.compare(residues);
    s.compare(sign);
    e.compare(exponent);
    return z.take();
  });
}

}  // namespace assay::rns
