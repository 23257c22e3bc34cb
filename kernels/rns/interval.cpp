#include "arith/residues/interval.hpp"

#include "kernels/rns/detail/launch.hpp"
#include "kernels/rns/rns.hpp"

namespace assay::rns {
namespace detail {
namespace {

struct Evaluate : OfResidues {
  template <class Set>
  ASSAY_HD Interval operator()(const rns::Residues<Set>& x) const {
    return rns::evaluate(x);
  }
};

struct EvaluateMixedRadix : OfResidues {
  template <class Set>
  ASSAY_HD Interval operator()(const rns::Residues<Set>& x) const {
    return rns::evaluate_mixed_radix(x);
  }
};

struct EvaluateFast : OfResidues {
  template <class Set>
  ASSAY_HD Interval operator()(const rns::Residues<Set>& x) const {
    return rns::evaluate_fast(x);
  }
};

struct Compare : OfResidues {
  template <class Set>
  ASSAY_HD int operator()(const rns::Residues<Set>& x, const rns::Residues<Set>& y) const {
    return rns::compare(x, y);
  }
};

struct Overflows : OfResidues {
  template <class Set>
  ASSAY_HD int operator()(const rns::Residues<Set>& x, const rns::Residues<Set>& y) const {
    return rns::overflows(x, y) ? 1 : 0;
  }
};

struct Sign : OfResidues {
  template <class Set>
  ASSAY_HD int operator()(const rns::Residues<Set>& x) const {
    return rns::sign(x);
  }
};

struct Divide : OfResidues {
  template <class Set>
  ASSAY_HD rns::Quotient<Set> operator()(const rns::Residues<Set>& x, const rns::Residues<Set>& y) const {
    return rns::divide(x, y);
  }
};

struct ScaleDown {
  template <class Set>
  using X = rns::Residues<Set>;
  template <class Set>
  using Y = std::int64_t;
  template <class Set>
  ASSAY_HD rns::Residues<Set> operator()(const rns::Residues<Set>& x, std::int64_t d) const {
    return rns::scale_down(x, d);
  }
};

}  // namespace
}  // namespace detail

std::vector<Interval> rns_evaluate(const Executor& on, RnsEvaluation form, int n, std::span<const std::uint32_t> x) {
  switch (form) {
    case RnsEvaluation::general:
      return detail::rns_apply<detail::Evaluate>(on, n, x);
    case RnsEvaluation::mixed_radix:
      return detail::rns_apply<detail::EvaluateMixedRadix>(on, n, x);
    default:
      return detail::rns_apply<detail::EvaluateFast>(on, n, x);
  }
}

std::vector<int> rns_compare(const Executor& on, int n, std::span<const std::uint32_t> x,
                             std::span<const std::uint32_t> y) {
  return detail::rns_apply<detail::Compare>(on, n, x, y);
}

std::vector<int> rns_sign(const Executor& on, int n, std::span<const std::uint32_t> x) {
  return detail::rns_apply<detail::Sign>(on, n, x);
}

std::vector<int> rns_overflows(const Executor& on, int n, std::span<const std::uint32_t> x,
                               std::span<const std::uint32_t> y) {
  return detail::rns_apply<detail::Overflows>(on, n, x, y);
}

std::vector<std::uint32_t> rns_scale_down(const Executor& on, int n, std::span<const std::uint32_t> x,
                                          std::span<const std::int64_t> d) {
  return detail::rns_apply<detail::ScaleDown>(on, n, x, d);
}

RnsQuotients rns_divide(const Executor& on, int n, std::span<const std::uint32_t> x, std::span<const std::uint32_t> y) {
  const std::vector<std::uint32_t> both = detail::rns_apply<detail::Divide>(on, n, x, y);
  RnsQuotients z;
  const auto size = static_cast<std::ptrdiff_t>(n) + 1;
  for (auto at = both.begin(); at != both.end(); at += 2 * size) {
    z.quotient.insert(z.quotient.end(), at, at + size);
    z.remainder.insert(z.remainder.end(), at + size, at + 2 * size);
  }
  return z;
}

}  // namespace assay::rns
