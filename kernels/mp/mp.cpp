#include "kernels/mp/mp.hpp"

#include "kernels/mp/launch.hpp"

namespace assay::mp {
namespace detail {
namespace {

/// z_i = op(x_i, y_i, w_i).
template <class Set>
struct MpOpBody {
  MpOp op;
  MpView<Set> x, y, w, z;
  ASSAY_HD void operator()(std::size_t i) const {
    mp::Number<Set> r = x.load(i);
    switch (op) {
      case MpOp::add:
        r = mp::add(r, y.load(i));
        break;
      case MpOp::mul:
        r = mp::mul(r, y.load(i));
        break;
      case MpOp::round:
        r = mp::round(r);
        break;
      case MpOp::sub:
      case MpOp::difference_product:
        r = mp::sub(r, y.load(i));
        if (op == MpOp::difference_product) r = mp::mul(r, w.load(i));
        break;
    }
    z.store(i, r);
  }
};

template <class Set>
struct MpCompareBody {
  MpView<Set> x, y;
  int* z;
  ASSAY_HD void operator()(std::size_t i) const { z[i] = mp::compare(x.load(i), y.load(i)); }
};

template <class Set>
struct MpFromDoubleBody {
  const double* x;
  MpView<Set> z;
  ASSAY_HD void operator()(std::size_t i) const { z.store(i, mp::from_double<Set>(x[i])); }
};

template <class Set>
struct MpToDoubleBody {
  MpView<Set> x;
  double* z;
  ASSAY_HD void operator()(std::size_t i) const { z[i] = mp::to_double(x.load(i)); }
};

template <class Set>
struct MpFromLimbsBody {
  bool rounds;
  int count;
  const std::uint32_t* limbs;
  const std::int64_t* exponent;
  const std::int32_t* sign;
  MpView<Set> z;
  ASSAY_HD void operator()(std::size_t i) const {
    const std::uint32_t* const x = limbs + i * static_cast<std::size_t>(count);
    if (rounds) {
      z.store(i, mp::from_limbs<Set>(x, count, exponent[i], sign[i] != 0));
    } else {
      const rns::Residues<Set> digits = rns::from_limbs<Set>(x, count);
      z.store(i, {digits, rns::evaluate(digits), static_cast<std::int32_t>(exponent[i]), sign[i]});
    }
  }
};

void require_length(std::size_t x, std::size_t y, const char* routine) {
  if (x != y) {
    throw std::invalid_argument(std::string(routine) + ": the operands have different lengths: " + std::to_string(x) +
                                " and " + std::to_string(y));
  }
}

MpArray from_limbs(const Executor& on, int n, const MpLimbs& x, bool planes, bool rounds, const char* routine) {
  const std::size_t length = x.sign.size();
  require_length(length, x.exponent.size(), routine);
  require_length(length * x.count, x.limbs.size(), routine);
  return with_moduli(n, routine, [&]<class Set>(Set) {
    const Array<std::uint32_t> limbs(on, std::span<const std::uint32_t>(x.limbs));
    const Array<std::int64_t> exponent(on, std::span<const std::int64_t>(x.exponent));
    const Array<std::int32_t> sign(on, std::span<const std::int32_t>(x.sign));
    const MpArrayOn<Set> z(on, length, planes);
    launch_indices(
        on, length,
        MpFromLimbsBody<Set>{rounds, static_cast<int>(x.count), limbs.data(), exponent.data(), sign.data(), z.view()});
    limbs.compare(x.limbs);
    exponent.compare(x.exponent);
    sign.compare(x.sign);
    return z.take();
  });
}

}  // namespace
}  // namespace detail

MpArray mp_op(const Executor& on, MpOp op, const MpArray& x, const MpArray& y, const MpArray& w) {
  constexpr const char* routine = "mp_op";
  const bool reads_y = op != MpOp::round;
  const bool reads_w = op == MpOp::difference_product;
  require_mp_array(x, x.n, routine, "x");
  require_mp_array(y, reads_y ? x.n : y.n, routine, "y");
  require_mp_array(w, reads_w ? x.n : w.n, routine, "w");
  detail::require_length(reads_y ? x.length : 0, y.length, routine);
  detail::require_length(reads_w ? x.length : 0, w.length, routine);
  return with_moduli(x.n, routine, [&]<class Set>(Set) {
    const MpArrayOn<Set> a(on, x);
    const MpArrayOn<Set> b(on, y);
    const MpArrayOn<Set> c(on, w);
    const MpArrayOn<Set> z(on, x.length, x.planes);
    launch_indices(on, x.length, detail::MpOpBody<Set>{op, a.view(), b.view(), c.view(), z.view()});
    a.compare(x);
    b.compare(y);
    c.compare(w);
    return z.take();
  });
}

std::vector<int> mp_compare(const Executor& on, const MpArray& x, const MpArray& y) {
  constexpr const char* routine = "mp_compare";
  require_mp_array(x, x.n, routine, "x");
  require_mp_array(y, x.n, routine, "y");
  detail::require_length(x.length, y.length, routine);
  return with_moduli(x.n, routine, [&]<class Set>(Set) {
    const MpArrayOn<Set> a(on, x);
    const MpArrayOn<Set> b(on, y);
    const Array<int> z(on, x.length);
    launch_indices(on, x.length, detail::MpCompareBody<Set>{a.view(), b.view(), z.data()});
    a.compare(x);
    b.compare(y);
    return z.take();
  });
}

MpArray mp_from_double(const Executor& on, int n, std::span<const double> x, bool planes) {
  return with_moduli(n, "mp_from_double", [&]<class Set>(Set) {
    const Array<double> a(on, x);
    const MpArrayOn<Set> z(on, x.size(), planes);
    launch_indices(on, x.size(), detail::MpFromDoubleBody<Set>{a.data(), z.view()});
    a.compare(x);
    return z.take();
  });
}

std::vector<double> mp_to_double(const Executor& on, const MpArray& x) {
  constexpr const char* routine = "mp_to_double";
  require_mp_array(x, x.n, routine, "x");
  return with_moduli(x.n, routine, [&]<class Set>(Set) {
    const MpArrayOn<Set> a(on, x);
    const Array<double> z(on, x.length);
    launch_indices(on, x.length, detail::MpToDoubleBody<Set>{a.view(), z.data()});
    a.compare(x);
    return z.take();
  });
}

MpArray mp_from_limbs(const Executor& on, int n, const MpLimbs& x, bool planes) {
  return detail::from_limbs(on, n, x, planes, true, "mp_from_limbs");
}

MpArray mp_unrounded(const Executor& on, int n, const MpLimbs& x, bool planes) {
  return detail::from_limbs(on, n, x, planes, false, "mp_unrounded");
}

}  // namespace assay::mp
