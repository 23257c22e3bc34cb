// Elementary functions of the GNU Scientific Library, as functions of arrays that `assay check --subject` calls.

#include <cstddef>

extern "C" {

double gsl_expm1(double);
double gsl_log1p(double);
double gsl_asinh(double);
double gsl_acosh(double);
double gsl_atanh(double);
double gsl_sf_exp(double);
double gsl_sf_log(double);
double gsl_sf_sin(double);
double gsl_sf_cos(double);
double gsl_sf_erf(double);
double gsl_sf_erfc(double);
void* gsl_set_error_handler_off(void);  // otherwise an overflow ends the program
}

namespace {

void each(double (*function)(double), std::size_t n, const double* x, double* y) {
  static void* const handler = gsl_set_error_handler_off();
  (void)handler;
  for (std::size_t i = 0; i < n; ++i) y[i] = function(x[i]);
}

}  // namespace

extern "C" {

void expm1_f64(std::size_t n, const double* x, double* y) { each(gsl_expm1, n, x, y); }
void log1p_f64(std::size_t n, const double* x, double* y) { each(gsl_log1p, n, x, y); }
void asinh_f64(std::size_t n, const double* x, double* y) { each(gsl_asinh, n, x, y); }
void acosh_f64(std::size_t n, const double* x, double* y) { each(gsl_acosh, n, x, y); }
void atanh_f64(std::size_t n, const double* x, double* y) { each(gsl_atanh, n, x, y); }
void exp_f64(std::size_t n, const double* x, double* y) { each(gsl_sf_exp, n, x, y); }
void log_f64(std::size_t n, const double* x, double* y) { each(gsl_sf_log, n, x, y); }
void sin_f64(std::size_t n, const double* x, double* y) { each(gsl_sf_sin, n, x, y); }
void cos_f64(std::size_t n, const double* x, double* y) { each(gsl_sf_cos, n, x, y); }
void erf_f64(std::size_t n, const double* x, double* y) { each(gsl_sf_erf, n, x, y); }
void erfc_f64(std::size_t n, const double* x, double* y) { each(gsl_sf_erfc, n, x, y); }
}
