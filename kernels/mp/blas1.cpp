#include "kernels/mp/blas1.hpp"

#include <algorithm>

#include "kernels/expansion/blas_arguments.hpp"
#include "kernels/mp/launch.hpp"

namespace assay::mp {
namespace detail {
namespace {

/// A vector in an array: entry i at first + i·step.
struct MpEntries {
  std::int64_t first, step;
  ASSAY_HD std::size_t operator()(std::int64_t i) const { return static_cast<std::size_t>(first + i * step); }
};

MpEntries entries(std::int64_t length, std::int64_t inc) { return {inc < 0 ? (1 - length) * inc : 0, inc}; }

enum class MpTerm { sum, absolute, square, product, largest };

/// The sums of 32·gridDim lanes by blocks: partial result b in z_b.
template <class Set>
struct MpSumBlock {
  static constexpr int threads = static_cast<int>(mp_sum_lanes);
  struct Shared {
    mp::Number<Set> partial[threads];
  };

  MpTerm term;
  std::int64_t length, lanes;
  MpView<Set> x, y;
  MpEntries x_at, y_at;
  MpView<Set> z;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    block.for_each_thread([&](int t, Shared& shared) {
      mp::Number<Set> sum = mp::zero<Set>();
      for (std::int64_t i = static_cast<std::int64_t>(block.index()) * threads + t; i < length; i += lanes) {
        sum = joined(sum, term_of(i));
      }
      shared.partial[t] = sum;
    });
    for (int d = threads / 2; d > 0; d /= 2) {
      block.for_each_thread([&](int t, Shared& shared) {
        if (t < d) shared.partial[t] = joined(shared.partial[t], shared.partial[t + d]);
      });
    }
    block.for_each_thread([&](int t, Shared& shared) {
      if (t == 0) z.store(block.index(), shared.partial[0]);
    });
  }

 private:
  ASSAY_HD mp::Number<Set> term_of(std::int64_t i) const {
    const mp::Number<Set> a = x.load(x_at(i));
    switch (term) {
      case MpTerm::absolute:
      case MpTerm::largest:
        return mp::abs(a);
      case MpTerm::square:
      case MpTerm::product:
        return mp::mul(a, term == MpTerm::square ? a : y.load(y_at(i)));
      case MpTerm::sum:
        break;
    }
    return a;
  }
  ASSAY_HD mp::Number<Set> joined(const mp::Number<Set>& a, const mp::Number<Set>& b) const {
    if (term == MpTerm::largest) return mp::compare(a, b) < 0 ? b : a;
    return mp::add(a, b);
  }
};

/// Σ or max of the terms; y is empty where the term has no second factor.
MpArray sum_up(const Executor& on, const char* routine, MpTerm term, std::int64_t length, const MpArray& x,
               std::int64_t incx, const MpArray& y, std::int64_t incy) {
  return with_moduli(x.n, routine, [&]<class Set>(Set) {
    const std::int64_t blocks = mp_sum_blocks(length);
    const MpArrayOn<Set> a(on, x);
    const MpArrayOn<Set> b(on, y);
    const MpArrayOn<Set> partial(on, static_cast<std::size_t>(blocks), x.planes);
    launch_blocks(on, static_cast<std::size_t>(blocks),
                  MpSumBlock<Set>{term, length, blocks * mp_sum_lanes, a.view(), b.view(), entries(length, incx),
                                  entries(length, incy), partial.view()});
    a.compare(x);
    b.compare(y);
    if (blocks == 1) return partial.take();
    const MpArrayOn<Set> sum(on, 1, x.planes);
    launch_blocks(on, 1,
                  MpSumBlock<Set>{term == MpTerm::largest ? term : MpTerm::sum, blocks, mp_sum_lanes, partial.view(),
                                  partial.view(), entries(blocks, 1), entries(blocks, 1), sum.view()});
    return sum.take();
  });
}

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

/// w after the update; operands that it does not have are empty.
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

void require_vector(const char* routine, const MpArray& x, const char* name, int n, std::int64_t length,
                    std::int64_t inc) {
  require_mp_array(x, n, routine, name);
  blas::require_argument(length >= 0, routine, "the length is not negative");
  blas::require_argument(inc != 0, routine, "a stride is not 0");
  blas::require_argument(blas::holds_vector(x.length, length, inc), routine, "a vector does not fit into its array");
}

void require_scalar(const char* routine, const MpArray& x, const char* name, int n) {
  require_mp_array(x, n, routine, name);
  blas::require_argument(x.length == 1, routine, "a scalar is an array of length 1");
}

bool is_one(const MpArray& alpha) {
  return with_moduli(alpha.n, "is_one", [&]<class Set>(Set) {
    MpArray copy = alpha;
    const mp::Number<Set> x = mp_view<Set>(copy).load(0);
    return !mp::is_out_of_range(x) && mp::compare(x, mp::from_double<Set>(1)) == 0;
  });
}

bool is_zero(const MpArray& alpha) {
  return alpha.upper[0].fraction == 0 && alpha.exponent[0] != mp::out_of_range_exponent;
}

MpArray reduced(const Executor& on, const char* routine, MpTerm term, std::int64_t length, const MpArray& x,
                std::int64_t incx) {
  require_vector(routine, x, "x", x.n, length, incx);
  return sum_up(on, routine, term, length, x, incx, mp_zeros(x.n, 0, x.planes), 1);
}

}  // namespace
}  // namespace detail

MpArray mp_asum(const Executor& on, std::int64_t length, const MpArray& x, std::int64_t incx) {
  return detail::reduced(on, "mp_asum", detail::MpTerm::absolute, length, x, incx);
}

MpArray mp_sum_of_squares(const Executor& on, std::int64_t length, const MpArray& x, std::int64_t incx) {
  return detail::reduced(on, "mp_sum_of_squares", detail::MpTerm::square, length, x, incx);
}

MpArray mp_norm_inf(const Executor& on, std::int64_t length, const MpArray& x, std::int64_t incx) {
  return detail::reduced(on, "mp_norm_inf", detail::MpTerm::largest, length, x, incx);
}

MpArray mp_dot(const Executor& on, std::int64_t length, const MpArray& x, std::int64_t incx, const MpArray& y,
               std::int64_t incy) {
  constexpr const char* routine = "mp_dot";
  detail::require_vector(routine, x, "x", x.n, length, incx);
  detail::require_vector(routine, y, "y", x.n, length, incy);
  return detail::sum_up(on, routine, detail::MpTerm::product, length, x, incx, y, incy);
}

MpArray mp_scal(const Executor& on, std::int64_t length, const MpArray& alpha, const MpArray& x, std::int64_t incx) {
  constexpr const char* routine = "mp_scal";
  detail::require_scalar(routine, alpha, "alpha", x.n);
  detail::require_vector(routine, x, "x", x.n, length, incx);
  if (length == 0 || detail::is_one(alpha)) return x;
  const MpArray none = mp_zeros(x.n, 0);
  return detail::updated(on, routine, detail::MpUpdate::scale, length, alpha, none, incx, none, none, 1, x, incx);
}

MpArray mp_axpy(const Executor& on, std::int64_t length, const MpArray& alpha, const MpArray& x, std::int64_t incx,
                const MpArray& y, std::int64_t incy) {
  constexpr const char* routine = "mp_axpy";
  detail::require_scalar(routine, alpha, "alpha", x.n);
  detail::require_vector(routine, x, "x", x.n, length, incx);
  detail::require_vector(routine, y, "y", x.n, length, incy);
  if (length == 0 || detail::is_zero(alpha)) return y;
  const MpArray none = mp_zeros(x.n, 0);
  return detail::updated(on, routine, detail::MpUpdate::add, length, alpha, x, incx, none, none, 1, y, incy);
}

MpArray mp_waxpby(const Executor& on, std::int64_t length, const MpArray& alpha, const MpArray& x, std::int64_t incx,
                  const MpArray& beta, const MpArray& y, std::int64_t incy, const MpArray& w, std::int64_t incw) {
  constexpr const char* routine = "mp_waxpby";
  detail::require_scalar(routine, alpha, "alpha", w.n);
  detail::require_scalar(routine, beta, "beta", w.n);
  detail::require_vector(routine, x, "x", w.n, length, incx);
  detail::require_vector(routine, y, "y", w.n, length, incy);
  detail::require_vector(routine, w, "w", w.n, length, incw);
  if (length == 0) return w;
  return detail::updated(on, routine, detail::MpUpdate::combine, length, alpha, x, incx, beta, y, incy, w, incw);
}

}  // namespace assay::mp
