#include "arith/residues/interval.hpp"

#include "kernels/rns/detail/launch.hpp"
#include "kernels/rns/rns.hpp"

namespace assay::rns {
namespace detail {
namespace {

template <class Set>
ASSAY_HD int compare_residues(const rns::Residues<Set>& x, const rns::Residues<Set>& y) {
  return rns::compare(x, y);
}

template <class Set>
ASSAY_HD int sum_overflows(const rns::Residues<Set>& x, const rns::Residues<Set>& y) {
  return rns::overflows(x, y) ? 1 : 0;
}

}  // namespace
}  // namespace detail

std::vector<Interval> rns_evaluate(const Executor& on, RnsEvaluation form, int n, std::span<const std::uint32_t> x) {
  switch (form) {
    case RnsEvaluation::general:
      return detail::rns_apply(on, n, x, [](auto set) { return detail::RnsFunction<rns::evaluate<decltype(set)>>{}; });
    case RnsEvaluation::mixed_radix:
      return detail::rns_apply(
          on, n, x, [](auto set) { return detail::RnsFunction<rns::evaluate_mixed_radix<decltype(set)>>{}; });
    default:
      return detail::rns_apply(on, n, x,
                               [](auto set) { return detail::RnsFunction<rns::evaluate_fast<decltype(set)>>{}; });
  }
}

std::vector<int> rns_compare(const Executor& on, int n, std::span<const std::uint32_t> x,
                             std::span<const std::uint32_t> y) {
  return detail::rns_apply(on, n, x, y,
                           [](auto set) { return detail::RnsFunction<detail::compare_residues<decltype(set)>>{}; });
}

std::vector<int> rns_sign(const Executor& on, int n, std::span<const std::uint32_t> x) {
  return detail::rns_apply(on, n, x, [](auto set) { return detail::RnsFunction<rns::sign<decltype(set)>>{}; });
}

std::vector<int> rns_overflows(const Executor& on, int n, std::span<const std::uint32_t> x,
                               std::span<const std::uint32_t> y) {
  return detail::rns_apply(on, n, x, y,
                           [](auto set) { return detail::RnsFunction<detail::sum_overflows<decltype(set)>>{}; });
}

std::vector<std::uint32_t> rns_scale_down(const Executor& on, int n, std::span<const std::uint32_t> x,
                                          std::span<const std::int64_t> d) {
  return detail::rns_apply(on, n, x, d, [](auto set) { return detail::RnsFunction<rns::scale_down<decltype(set)>>{}; });
}

RnsQuotients rns_divide(const Executor& on, int n, std::span<const std::uint32_t> x, std::span<const std::uint32_t> y) {
  const std::vector<std::uint32_t> both =
      detail::rns_apply(on, n, x, y, [](auto set) { return detail::RnsFunction<rns::divide<decltype(set)>>{}; });
  RnsQuotients z;
  const auto size = static_cast<std::ptrdiff_t>(n) + 1;
  for (auto at = both.begin(); at != both.end(); at += 2 * size) {
    z.quotient.insert(z.quotient.end(), at, at + size);
    z.remainder.insert(z.remainder.end(), at + size, at + 2 * size);
  }
  return z;
}

}  // namespace assay::rns
