// Functions of a library as users have them, good and bad, for the tests of kernels from outside.
#include <pthread.h>
#include <setjmp.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace {

volatile double sink;

/// The place of number i of n in an array with the increment, by the BLAS convention.
int place(int i, int n, int increment) { return increment < 0 ? (i + 1 - n) * increment : i * increment; }

/// Uses a page of the stack and calls itself.
[[gnu::noinline]] double deeper(std::size_t n) {
  volatile double page[512];
  page[n % 512] = 1;
  return n == 0 ? 0 : deeper(n - 1) + page[n % 512];
}

jmp_buf gone;
/// Afterwards `gone` is a frame that no longer exists.
[[gnu::noinline]] void remember_a_frame() {
  volatile double room[512];
  room[0] = setjmp(gone);
  sink = room[0];
}

void* wait_for_ever(void*) {
  for (;;) ::pause();
}

/// Ogita, Rump, Oishi 2005: Dot2, where `error_of` gives the error of a product.
template <class ErrorOf>
double compensated_dot(std::size_t n, const double* x, const double* y, const ErrorOf& error_of) {
  double sum = 0;
  double lost = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double product = x[i] * y[i];
    const double next = sum + product;
    const double z = next - sum;
    lost += (sum - (next - z)) + (product - z) + error_of(x[i], y[i], product);
    sum = next;
  }
  return sum + lost;
}

}  // namespace

extern "C" {

double dot(std::size_t n, const double* x, const double* y) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}
double cblas_ddot(int n, const double* x, int incx, const double* y, int incy) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[place(i, n, incx)] * y[place(i, n, incy)];
  return sum;
}
double ddot_(const int* n, const double* x, const int* incx, const double* y, const int* incy) {
  return cblas_ddot(*n, x, *incx, y, *incy);
}
float cblas_sdot(int n, const float* x, int incx, const float* y, int incy) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += x[place(i, n, incx)] * y[place(i, n, incy)];
  return sum;
}
// In the form of cuBLAS, without functions for handles.
int cublasDdot(void*, int n, const double* x, int incx, const double* y, int incy, double* result) {
  *result = cblas_ddot(n, x, incx, y, incy);
  return 0;
}
double dot2(std::size_t n, const double* x, const double* y) {
  return compensated_dot(n, x, y, [](double a, double b, double product) { return std::fma(a, b, -product); });
}
// The same with one operation changed: the error of a product is that of two roundings, which is 0.
double dot2_changed(std::size_t n, const double* x, const double* y) {
  return compensated_dot(n, x, y, [](double a, double b, double product) { return a * b - product; });
}
double sum(std::size_t n, const double* x) {
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) total += x[i];
  return total;
}
double asum(std::size_t n, const double* x) {
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) total += std::fabs(x[i]);
  return total;
}

double nrm2(std::size_t n, const double* x) { return std::sqrt(dot(n, x, x)); }
// The same, scaled by a power of two so that the largest number is about 1.
double nrm2_scaled(std::size_t n, const double* x) {
  int exponent = -2000;
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] != 0 && std::ilogb(x[i]) > exponent) exponent = std::ilogb(x[i]);
  }
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double scaled = std::scalbn(x[i], -exponent);
    total += scaled * scaled;
  }
  return std::scalbn(std::sqrt(total), exponent);
}

#if defined(__SSE2__)
// long double then has 53 bits.
double narrows_x87(std::size_t n, const double* x, const double* y) {
  const std::uint16_t control = 0x27f;
  __asm__ volatile("fldcw %0" : : "m"(control));
  return dot(n, x, y);
}
double leaves_a_number_on_the_x87(std::size_t n, const double* x, const double* y) {
  __asm__ volatile("fld1");
  return dot(n, x, y);
}
#endif

// No function.
double number = 3;
// The number before the first one is added: its value is undefined.
double reads_in_front(std::size_t n, const double* x, const double* y) { return dot(n, x, y) + 0x1p-60 * x[-1]; }

// Wrong kernels that pass a typical tolerance.
double zeros(std::size_t, const double*, const double*) { return 0; }
double constant(std::size_t, const double*, const double*) { return 0.75; }
double first_product(std::size_t n, const double* x, const double* y) { return n == 0 ? 0 : x[0] * y[0]; }
double without_last(std::size_t n, const double* x, const double* y) { return dot(n < 64 ? n : n - 1, x, y); }
double first_1024(std::size_t n, const double* x, const double* y) { return dot(n < 1024 ? n : 1024, x, y); }
double nan_at_64(std::size_t n, const double* x, const double* y) { return n == 64 ? std::nan("") : dot(n, x, y); }
double drifting(std::size_t n, const double* x, const double* y) {
  static double calls = 0;
  calls += 1;
  return dot(n, x, y) * (1 + calls * 0x1p-52);
}

// Kernels that must not end the judge.
double crashes(std::size_t n, const double* x, const double* y) {
  if (n == 33) std::raise(SIGSEGV);
  return dot(n, x, y);
}
double hangs(std::size_t n, const double* x, const double* y) {
  while (n == 33) usleep(1000);
  return dot(n, x, y);
}
double exits(std::size_t n, const double* x, const double* y) {
  if (n == 33) std::exit(0);
  return dot(n, x, y);
}
double prints(std::size_t n, const double* x, const double* y) {
  std::puts("computing");
  std::fflush(stdout);
  return dot(n, x, y);
}
double reads_behind(std::size_t n, const double* x, const double* y) {
  const volatile double* const behind = x + n;
  const double read = *behind;
  return read != read ? 0 : dot(n, x, y);
}
double rounds_up(std::size_t n, const double* x, const double* y) {
  const double result = dot(n, x, y);
  std::fesetround(FE_UPWARD);
  return result;
}
double writes_in_front(std::size_t n, const double* x, const double* y) {
  double* const front = const_cast<double*>(x) - 1;
  front[0] = 1;
  return dot(n, x, y);
}
double changes_input(std::size_t n, const double* x, const double* y) {
  const double result = dot(n, x, y);
  if (n != 0) (const_cast<double*>(x))[0] = 3;
  return result;
}
double grows(std::size_t n, const double* x, const double* y) {
  while (n == 33) {
    const std::size_t size = std::size_t{1} << 24;
    void* const kept = std::malloc(size);
    if (kept == nullptr) {
      usleep(1000000);
      std::abort();
    }
    std::memset(kept, 1, size);
  }
  return dot(n, x, y);
}
double exits_at_once(std::size_t n, const double* x, const double* y) {
  if (n == 33) ::_exit(0);
  return dot(n, x, y);
}
double throws_a_number(std::size_t n, const double* x, const double* y) {
  if (n == 33) throw 33;
  return dot(n, x, y);
}
double recurses(std::size_t n, const double* x, const double* y) {
  if (n == 33) sink = deeper(std::size_t{1} << 24);
  return dot(n, x, y);
}
double jumps(std::size_t n, const double* x, const double* y) {
  remember_a_frame();
  if (n == 33) longjmp(gone, 1);
  return dot(n, x, y);
}
double closes(std::size_t n, const double* x, const double* y) {
  for (int descriptor = 3; n == 33 && descriptor < 256; ++descriptor) ::close(descriptor);
  return dot(n, x, y);
}
double forks(std::size_t n, const double* x, const double* y) {
  if (n == 33 && ::fork() < 0) std::abort();
  return dot(n, x, y);
}
/// Forks in every call. A forked process that calls it again would fork again, and so on: it only creates a file.
double forks_in_every_call(std::size_t n, const double* x, const double* y) {
  static const pid_t first = ::getpid();
  if (::getpid() != first) {
    if (std::FILE* const file = std::fopen(std::getenv("HOSTILE_FORKED"), "w")) std::fclose(file);
    ::_exit(0);
  }
  if (::fork() < 0) std::abort();
  return dot(n, x, y);
}
double starts_a_thread(std::size_t n, const double* x, const double* y) {
  pthread_t thread{};
  static const bool started = pthread_create(&thread, nullptr, wait_for_ever, nullptr) == 0;
  return started ? dot(n, x, y) : 0;
}
// Ignores signals that would end it, and repeats an access that fails.
double ignores_signals(std::size_t n, const double* x, const double* y) {
  std::signal(SIGTERM, SIG_IGN);
  std::signal(SIGSEGV, [](int) {});
  if (n == 33) sink = *reinterpret_cast<volatile double*>(std::uintptr_t{16});
  return dot(n, x, y);
}
double changes_locale(std::size_t n, const double* x, const double* y) {
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  return dot(n, x, y);
}
double flushes(std::size_t n, const double* x, const double* y) {
  const double result = dot(n, x, y);
#if defined(__SSE2__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#else
  std::fesetround(FE_DOWNWARD);
#endif
  return result;
}
double throws(std::size_t n, const double* x, const double* y) {
  if (n == 33) throw std::runtime_error("not 33");
  return dot(n, x, y);
}

}  // extern "C"
