// Arithmetic of double words by the QD library, as functions that `assay check --subject` calls.

#include <qd/dd_real.h>

#include <cstddef>

namespace {

template <class Function>
void each(std::size_t n, const double* xh, const double* xl, const double* yh, const double* yl, double* zh, double* zl,
          const Function& f) {
  for (std::size_t i = 0; i < n; ++i) {
    const dd_real z = f(dd_real(xh[i], xl[i]), dd_real(yh[i], yl[i]));
    zh[i] = z.x[0];
    zl[i] = z.x[1];
  }
}

}  // namespace

extern "C" {

void dd_add(std::size_t n, const double* xh, const double* xl, const double* yh, const double* yl, double* zh,
            double* zl) {
  each(n, xh, xl, yh, yl, zh, zl, [](const dd_real& x, const dd_real& y) { return x + y; });
}
void dd_ieee_add(std::size_t n, const double* xh, const double* xl, const double* yh, const double* yl, double* zh,
                 double* zl) {
  each(n, xh, xl, yh, yl, zh, zl, [](const dd_real& x, const dd_real& y) { return dd_real::ieee_add(x, y); });
}
void dd_mul(std::size_t n, const double* xh, const double* xl, const double* yh, const double* yl, double* zh,
            double* zl) {
  each(n, xh, xl, yh, yl, zh, zl, [](const dd_real& x, const dd_real& y) { return x * y; });
}
void dd_div(std::size_t n, const double* xh, const double* xl, const double* yh, const double* yl, double* zh,
            double* zl) {
  each(n, xh, xl, yh, yl, zh, zl, [](const dd_real& x, const dd_real& y) { return x / y; });
}
void dd_sloppy_div(std::size_t n, const double* xh, const double* xl, const double* yh, const double* yl, double* zh,
                   double* zl) {
  each(n, xh, xl, yh, yl, zh, zl, [](const dd_real& x, const dd_real& y) { return dd_real::sloppy_div(x, y); });
}
void dd_square_root(std::size_t n, const double* xh, const double* xl, double* zh, double* zl) {
  for (std::size_t i = 0; i < n; ++i) {
    const dd_real z = sqrt(dd_real(xh[i], xl[i]));
    zh[i] = z.x[0];
    zl[i] = z.x[1];
  }
}
}
