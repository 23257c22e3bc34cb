#include "kernels/mp/blas1.hpp"

#include "kernels/mp/detail/entries.hpp"
#include "kernels/mp/detail/rotation.hpp"
#include "kernels/mp/detail/sums.hpp"
#include "kernels/mp/launch.hpp"

namespace assay::mp {
namespace detail {
namespace {

/// w_i = αx_i, αx_i + w_i or αx_i + βy_i.
enum class MpUpdate { scale, add, combine };

template <class Set>
struct MpUpdateBody {
  MpUpdate update;
  MpView<Set> alpha, x, beta, y, w;
  MpEntries x_at, y_at, w_at;
  ASSAY_HD void operator()(std::size_t i) const {
    const auto k = static_cast<std::int64_t>(i);
    mp::Number<Set> r = mp::mul(alpha.load(0), x.load(x_at(k)));
    if (update == MpUpdate::add) r = mp::add(r, w.load(w_at(k)));
    if (update == MpUpdate::combine) r = mp::add(r, mp::mul(beta.load(0), y.load(y_at(k))));
    w.store(w_at(k), r);
  }
};

/// w after the update; operands that it does not have are empty, and their strides are not used.
MpArray updated(const Executor& on, const char* routine, MpUpdate update, std::int64_t length, const MpArray& alpha,
                const MpArray& x, std::int64_t incx, const MpArray& beta, const MpArray& y, std::int64_t incy,
                const MpArray& w, std::int64_t incw) {
  return with_moduli(w.n, routine, [&]<class Set>(Set) {
    const MpArrayOn<Set> a(on, alpha);
    const MpArrayOn<Set> u(on, x);
    const MpArrayOn<Set> b(on, beta);
    const MpArrayOn<Set> v(on, y);
    const MpArrayOn<Set> r(on, w);
    const MpUpdateBody<Set> body{update,
                                 a.view(),
                                 update == MpUpdate::scale ? r.view() : u.view(),
                                 b.view(),
                                 v.view(),
                                 r.view(),
                                 entries(length, incx),
                                 entries(length, incy),
                                 entries(length, incw)};
    launch_indices(on, static_cast<std::size_t>(length), body);
    a.compare(alpha);
    u.compare(x);
    b.compare(beta);
    v.compare(y);
    return r.take();
  });
}

bool is_one(const MpArray& alpha) {
  return with_moduli(alpha.n, "is_one", [&]<class Set>(Set) {
    MpArray copy = alpha;
    const mp::Number<Set> x = mp_view<Set>(copy).load(0);
    return !mp::is_out_of_range(x) && mp::compare(x, mp::from_double<Set>(1)) == 0;
  });
}

MpArray reduced(const Executor& on, const char* routine, MpTerm term, std::int64_t length, const MpArray& x,
                std::int64_t incx) {
  require_vector(routine, x, "x", x.n, length, incx);
  return with_moduli(x.n, routine, [&]<class Set>(Set) { return sum_up<Set>(on, term, length, x, incx, {}, incx); });
}

/// The update of vectors whose entries are adjacent.
void queue_update(const Executor& on, const char* routine, MpUpdate update, std::int64_t length,
                  const MpNumbersOn& alpha, const MpNumbersOn& x, const MpNumbersOn& beta, const MpNumbersOn& y,
                  const MpNumbersOn& w) {
  with_moduli(w.n, routine, [&]<class Set>(Set) {
    const MpEntries each = entries(length, 1);
    queue_indices(on, static_cast<std::size_t>(length),
                  MpUpdateBody<Set>{update, alpha.view<Set>(), x.view<Set>(), beta.view<Set>(), y.view<Set>(),
                                    w.view<Set>(), each, each, each});
  });
}

void queue_reduction(const Executor& on, const char* routine, MpTerm term, std::int64_t length, const MpNumbersOn& x,
                     const MpNumbersOn& y, const MpNumbersOn& partial, const MpNumbersOn& z) {
  with_moduli(z.n, routine, [&]<class Set>(Set) {
    queue_sum<Set>(on, term, length, x.view<Set>(), entries(length, 1), y.view<Set>(), entries(length, 1), 0,
                   partial.view<Set>(), z.view<Set>());
  });
}

}  // namespace
}  // namespace detail

MpArray mp_asum(const Executor& on, std::int64_t length, const MpArray& x, std::int64_t incx) {
  return detail::reduced(on, "mp_asum", detail::MpTerm::absolute, length, x, incx);
}

MpArray mp_sum_of_squares(const Executor& on, std::int64_t length, const MpArray& x, std::int64_t incx) {
  return detail::reduced(on, "mp_sum_of_squares", detail::MpTerm::square, length, x, incx);
}

MpArray mp_nrm2(const Executor& on, std::int64_t length, const MpArray& x, std::int64_t incx) {
  constexpr const char* routine = "mp_nrm2";
  detail::require_vector(routine, x, "x", x.n, length, incx);
  return with_moduli(x.n, routine, [&]<class Set>(Set) { return detail::norm<Set>(on, length, x, incx); });
}

MpArray mp_norm_inf(const Executor& on, std::int64_t length, const MpArray& x, std::int64_t incx) {
  return detail::reduced(on, "mp_norm_inf", detail::MpTerm::largest, length, x, incx);
}

MpArray mp_dot(const Executor& on, std::int64_t length, const MpArray& x, std::int64_t incx, const MpArray& y,
               std::int64_t incy) {
  constexpr const char* routine = "mp_dot";
  detail::require_vector(routine, x, "x", x.n, length, incx);
  detail::require_vector(routine, y, "y", x.n, length, incy);
  return with_moduli(x.n, routine, [&]<class Set>(Set) {
    return detail::sum_up<Set>(on, detail::MpTerm::product, length, x, incx, y, incy);
  });
}

MpArray mp_scal(const Executor& on, std::int64_t length, const MpArray& alpha, const MpArray& x, std::int64_t incx) {
  constexpr const char* routine = "mp_scal";
  detail::require_scalar(routine, alpha, "alpha", x.n);
  detail::require_vector(routine, x, "x", x.n, length, incx);
  if (detail::is_one(alpha)) return x;
  return detail::updated(on, routine, detail::MpUpdate::scale, length, alpha, {}, incx, {}, {}, incx, x, incx);
}

MpArray mp_axpy(const Executor& on, std::int64_t length, const MpArray& alpha, const MpArray& x, std::int64_t incx,
                const MpArray& y, std::int64_t incy) {
  constexpr const char* routine = "mp_axpy";
  detail::require_scalar(routine, alpha, "alpha", x.n);
  detail::require_vector(routine, x, "x", x.n, length, incx);
  detail::require_vector(routine, y, "y", x.n, length, incy);
  if (detail::is_zero(alpha)) return y;
  return detail::updated(on, routine, detail::MpUpdate::add, length, alpha, x, incx, {}, {}, incx, y, incy);
}

MpArray mp_waxpby(const Executor& on, std::int64_t length, const MpArray& alpha, const MpArray& x, std::int64_t incx,
                  const MpArray& beta, const MpArray& y, std::int64_t incy, const MpArray& w, std::int64_t incw) {
  constexpr const char* routine = "mp_waxpby";
  detail::require_scalar(routine, alpha, "alpha", w.n);
  detail::require_scalar(routine, beta, "beta", w.n);
  detail::require_vector(routine, x, "x", w.n, length, incx);
  detail::require_vector(routine, y, "y", w.n, length, incy);
  detail::require_vector(routine, w, "w", w.n, length, incw);
  return detail::updated(on, routine, detail::MpUpdate::combine, length, alpha, x, incx, beta, y, incy, w, incw);
}

void queue_mp_scal(const Executor& on, std::int64_t length, const MpNumbersOn& alpha, const MpNumbersOn& x) {
  detail::queue_update(on, "queue_mp_scal", detail::MpUpdate::scale, length, alpha, x, alpha, x, x);
}

void queue_mp_axpy(const Executor& on, std::int64_t length, const MpNumbersOn& alpha, const MpNumbersOn& x,
                   const MpNumbersOn& y) {
  detail::queue_update(on, "queue_mp_axpy", detail::MpUpdate::add, length, alpha, x, alpha, x, y);
}

void queue_mp_waxpby(const Executor& on, std::int64_t length, const MpNumbersOn& alpha, const MpNumbersOn& x,
                     const MpNumbersOn& beta, const MpNumbersOn& y, const MpNumbersOn& w) {
  detail::queue_update(on, "queue_mp_waxpby", detail::MpUpdate::combine, length, alpha, x, beta, y, w);
}

void queue_mp_asum(const Executor& on, std::int64_t length, const MpNumbersOn& x, const MpNumbersOn& partial,
                   const MpNumbersOn& z) {
  detail::queue_reduction(on, "queue_mp_asum", detail::MpTerm::absolute, length, x, x, partial, z);
}

void queue_mp_dot(const Executor& on, std::int64_t length, const MpNumbersOn& x, const MpNumbersOn& y,
                  const MpNumbersOn& partial, const MpNumbersOn& z) {
  detail::queue_reduction(on, "queue_mp_dot", detail::MpTerm::product, length, x, y, partial, z);
}

MpPair mp_rot(const Executor& on, std::int64_t length, const MpArray& x, std::int64_t incx, const MpArray& y,
              std::int64_t incy, const MpArray& c, const MpArray& s) {
  constexpr const char* routine = "mp_rot";
  detail::require_scalar(routine, c, "c", x.n);
  detail::require_scalar(routine, s, "s", x.n);
  detail::require_vector(routine, x, "x", x.n, length, incx);
  detail::require_vector(routine, y, "y", x.n, length, incy);
  return with_moduli(x.n, routine,
                     [&]<class Set>(Set) { return detail::rotated<Set>(on, length, x, incx, y, incy, c, s); });
}

}  // namespace assay::mp
