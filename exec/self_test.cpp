#include "exec/self_test.hpp"

#include <charconv>
#include <span>

#include "arith/bits/traits.hpp"
#include "exec/launch.hpp"

namespace assay {
namespace {

enum class Operation { add, sub, mul, div, sqrt, fma, mul_add };

template <class T>
struct Operands {
  Operation operation;
  T a, b, c;
};

template <class T>
struct Apply {
  using Input = Operands<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const {
    switch (x.operation) {
      case Operation::add:
        return x.a + x.b;
      case Operation::sub:
        return x.a - x.b;
      case Operation::mul:
        return x.a * x.b;
      case Operation::div:
        return x.a / x.b;
      case Operation::sqrt:
        return sqrt(x.a);
      case Operation::fma:
        return fma(x.a, x.b, x.c);
      case Operation::mul_add:
        return x.a * x.b + x.c;
    }
    return T(0);
  }
};

template <class T>
struct Check {
  Operation operation;
  T a, b, c, expected;
  const char* failure;
};

// The expected values are the exact results as rational numbers, rounded by integer arithmetic. The quotients and roots
// next to a midpoint come from x·2ᵏ = m·y ± 1 and from m² ≡ ±1, −7, 9 modulo a power of two, m odd with p + 1 bits.

constexpr Check<double> binary64_checks[] = {
    {Operation::mul_add, 0x1.0000002p0, 0x1.0000002p0, -0x1.0000004p0, 0.0, "a * b + c is fused"},
    {Operation::mul_add, 0x1.0000000000001p0, 0x1.ffffffffffffep-1, -0x1p0, 0.0, "a * b + c is fused"},
    {Operation::add, 0x1p-1022, -0x0.0000000000001p-1022, 0.0, 0x0.fffffffffffffp-1022, "a subnormal sum is flushed"},
    {Operation::add, 0x0.0000000000001p-1022, 0x0.0000000000001p-1022, 0.0, 0x0.0000000000002p-1022,
     "subnormal operands are flushed"},
    {Operation::sub, 0x1.0000000000001p-1022, 0x1p-1022, 0.0, 0x0.0000000000001p-1022,
     "a subnormal difference is flushed"},
    {Operation::mul, 0x1p-1022, 0x1p-1, 0.0, 0x0.8p-1022, "a subnormal product is flushed"},
    {Operation::mul, 0x0.0000000000001p-1022, 0x1p52, 0.0, 0x1p-1022, "a subnormal factor is flushed"},
    {Operation::mul, 0x0.0000000000001p-1022, 0x1p-1, 0.0, 0.0,
     "a product at the edge of underflow is not rounded to even"},
    {Operation::mul, 0x0.0000000000003p-1022, 0x1p-1, 0.0, 0x0.0000000000002p-1022,
     "a product at the edge of underflow is not rounded to even"},
    {Operation::mul, 0x0.fffffffffffffp-1022, 0x1.fffffffffffffp-1, 0.0, 0x0.fffffffffffffp-1022,
     "a product at the edge of underflow is rounded twice"},
    {Operation::div, 0x1p-1022, 0x1p1, 0.0, 0x0.8p-1022, "a subnormal quotient is flushed"},
    {Operation::div, 0x0.0000000000001p-1022, 0x0.0000000000001p-1022, 0.0, 0x1p0, "a subnormal divisor is flushed"},
    {Operation::div, 0x0.0000000000003p-1022, 0x1p1, 0.0, 0x0.0000000000002p-1022,
     "a quotient at the edge of underflow is not rounded to even"},
    {Operation::sqrt, 0x0.0000000000001p-1022, 0.0, 0.0, 0x1p-537, "the root of a subnormal number is flushed"},
    {Operation::fma, 0x0.0000000000001p-1022, 0x1p0, 0x0.0000000000001p-1022, 0x0.0000000000002p-1022,
     "a subnormal fused multiply-add is flushed"},
    {Operation::add, 0x1p0, 0x1p-53, 0.0, 0x1p0, "a tie of a sum is not rounded to even"},
    {Operation::add, 0x1.0000000000001p0, 0x1p-53, 0.0, 0x1.0000000000002p0, "a tie of a sum is not rounded to even"},
    {Operation::add, 0x1p0, 0x1.0000000000001p-53, 0.0, 0x1.0000000000001p0,
     "a sum just above a tie is not rounded to nearest"},
    {Operation::add, 0x1p0, 0x1.fffffffffffffp-54, 0.0, 0x1p0, "a sum just below a tie is not rounded to nearest"},
    {Operation::sub, 0x1p0, 0x1p-54, 0.0, 0x1p0, "a tie of a difference is not rounded to even"},
    {Operation::add, -0x1p0, -0x1p-53, 0.0, -0x1p0, "a tie of a sum is not rounded to even"},
    {Operation::add, -0x1.0000000000001p0, -0x1p-53, 0.0, -0x1.0000000000002p0,
     "a tie of a sum is not rounded to even"},
    {Operation::add, -0x1p0, -0x1.0000000000001p-53, 0.0, -0x1.0000000000001p0,
     "a sum just above a tie is not rounded to nearest"},
    {Operation::add, -0x1p0, -0x1.fffffffffffffp-54, 0.0, -0x1p0, "a sum just below a tie is not rounded to nearest"},
    {Operation::sub, -0x1p0, -0x1p-54, 0.0, -0x1p0, "a tie of a difference is not rounded to even"},
    {Operation::mul, 0x1.0000004p0, 0x1.0000002p0, 0.0, 0x1.0000006p0, "a tie of a product is not rounded to even"},
    {Operation::mul, 0x1.0000000000001p0, 0x1.8p0, 0.0, 0x1.8000000000002p0,
     "a tie of a product is not rounded to even"},
    {Operation::mul, 0x1.0000000000003p0, 0x1.8p0, 0.0, 0x1.8000000000004p0,
     "a tie of a product is not rounded to even"},
    {Operation::mul, 0x1.0000000000001p0, 0x1.0000000000001p0, 0.0, 0x1.0000000000002p0,
     "a product next to a representable number is wrong"},
    {Operation::mul, 0x1.fffffffffffffp0, 0x1.fffffffffffffp0, 0.0, 0x1.ffffffffffffep1,
     "a product next to a representable number is wrong"},
    {Operation::div, 0x1.1a59f87d63b44p52, 0x1.97b753ceb3ffdp52, 0.0, 0x1.6291f1445f556p-1,
     "a quotient next to a midpoint is wrong"},
    {Operation::div, 0x1.ea0280cdd845dp52, 0x1.216368b529b4bp52, 0.0, 0x1.b179838e7b4cfp0,
     "a quotient next to a midpoint is wrong"},
    {Operation::div, 0x1p0, 0x1.8p1, 0.0, 0x1.5555555555555p-2, "a quotient is wrong"},
    {Operation::div, 0x1.4p3, 0x1.8p1, 0.0, 0x1.aaaaaaaaaaaabp1, "a quotient is wrong"},
    {Operation::div, 0x1p0, 0x1.4p3, 0.0, 0x1.999999999999ap-4, "a quotient is wrong"},
    {Operation::div, 0x1.0000000000001p0, 0x1.fffffffffffffp-1, 0.0, 0x1.0000000000002p0, "a quotient is wrong"},
    {Operation::sqrt, 0x1.0000000000001p52, 0.0, 0.0, 0x1p26,
     "a root next to a midpoint or a representable number is wrong"},
    {Operation::sqrt, 0x1.0000000000001p53, 0.0, 0.0, 0x1.6a09e667f3bcdp26,
     "a root next to a midpoint or a representable number is wrong"},
    {Operation::sqrt, 0x1.fffffffffffffp52, 0.0, 0.0, 0x1.6a09e667f3bccp26,
     "a root next to a midpoint or a representable number is wrong"},
    {Operation::sqrt, 0x1.fffffffffffffp53, 0.0, 0.0, 0x1.fffffffffffffp26,
     "a root next to a midpoint or a representable number is wrong"},
    {Operation::sqrt, 0x1.d407bb3641da5p52, 0.0, 0.0, 0x1.5a24e31b39fa6p26,
     "a root next to a midpoint or a representable number is wrong"},
    {Operation::sqrt, 0x1.d407bb3641da5p53, 0.0, 0.0, 0x1.e9858bfa2e632p26,
     "a root next to a midpoint or a representable number is wrong"},
    {Operation::sqrt, 0x1p1, 0.0, 0.0, 0x1.6a09e667f3bcdp0, "a root is wrong"},
    {Operation::sqrt, 0x1.fffffffffffffp-1, 0.0, 0.0, 0x1.fffffffffffffp-1, "a root is wrong"},
    {Operation::sqrt, 0x1.0000000000001p0, 0.0, 0.0, 0x1p0, "a root is wrong"},
    {Operation::fma, 0x1.0000002p0, 0x1.0000002p0, -0x1.0000004p0, 0x1p-54, "a fused multiply-add rounds its product"},
    {Operation::fma, 0x1.0000000000001p0, 0x1.ffffffffffffep-1, -0x1p0, -0x1p-104,
     "a fused multiply-add rounds its product"},
    {Operation::fma, 0x1.0000000000001p0, 0x1.8p0, 0x0.0000000000001p-1022, 0x1.8000000000002p0,
     "a fused multiply-add forgets an addend far below"},
    {Operation::fma, 0x1.0000000000001p0, 0x1.8p0, -0x0.0000000000001p-1022, 0x1.8000000000001p0,
     "a fused multiply-add forgets an addend far below"},
    {Operation::fma, -0x1.0000000000001p0, 0x1.8p0, 0x0.0000000000001p-1022, -0x1.8000000000001p0,
     "a fused multiply-add forgets an addend far below"},
    {Operation::fma, -0x1.0000000000001p0, 0x1.8p0, -0x0.0000000000001p-1022, -0x1.8000000000002p0,
     "a fused multiply-add forgets an addend far below"},
    {Operation::fma, 0x0.0000000000001p-1022, 0x0.0000000000001p-1022, 0x1p0, 0x1p0,
     "a fused multiply-add forgets a product far below"},
    {Operation::fma, -0x0.0000000000001p-1022, 0x0.0000000000001p-1022, 0x1p0, 0x1p0,
     "a fused multiply-add forgets a product far below"},
    {Operation::fma, 0x0.0000000000001p-1022, 0x0.0000000000001p-1022, -0x1p-1022, -0x1p-1022,
     "a fused multiply-add is wrong at the edge of underflow"},
    {Operation::fma, 0x1p-1022, 0x1p-1, -0x0.0000000000001p-1022, 0x0.7ffffffffffffp-1022,
     "a fused multiply-add is wrong at the edge of underflow"},
    {Operation::fma, 0x1.fffffffffffffp1023, 0x1p1, -0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023,
     "a fused multiply-add overflows inside"},
};

constexpr Check<float> binary32_checks[] = {
    {Operation::mul_add, 0x1.0008p0f, 0x1.0008p0f, -0x1.001p0f, 0.0f, "a * b + c is fused"},
    {Operation::mul_add, 0x1.000002p0f, 0x1.fffffcp-1f, -0x1p0f, 0.0f, "a * b + c is fused"},
    {Operation::add, 0x1p-126f, -0x1p-149f, 0.0f, 0x1.fffffcp-127f, "a subnormal sum is flushed"},
    {Operation::add, 0x1p-149f, 0x1p-149f, 0.0f, 0x1p-148f, "subnormal operands are flushed"},
    {Operation::sub, 0x1.000002p-126f, 0x1p-126f, 0.0f, 0x1p-149f, "a subnormal difference is flushed"},
    {Operation::mul, 0x1p-126f, 0x1p-1f, 0.0f, 0x1p-127f, "a subnormal product is flushed"},
    {Operation::mul, 0x1p-149f, 0x1p23f, 0.0f, 0x1p-126f, "a subnormal factor is flushed"},
    {Operation::mul, 0x1p-149f, 0x1p-1f, 0.0f, 0.0f, "a product at the edge of underflow is not rounded to even"},
    {Operation::mul, 0x1.8p-148f, 0x1p-1f, 0.0f, 0x1p-148f,
     "a product at the edge of underflow is not rounded to even"},
    {Operation::mul, 0x1.fffffcp-127f, 0x1.fffffep-1f, 0.0f, 0x1.fffffcp-127f,
     "a product at the edge of underflow is rounded twice"},
    {Operation::div, 0x1p-126f, 0x1p1f, 0.0f, 0x1p-127f, "a subnormal quotient is flushed"},
    {Operation::div, 0x1p-149f, 0x1p-149f, 0.0f, 0x1p0f, "a subnormal divisor is flushed"},
    {Operation::div, 0x1.8p-148f, 0x1p1f, 0.0f, 0x1p-148f,
     "a quotient at the edge of underflow is not rounded to even"},
    {Operation::sqrt, 0x1p-149f, 0.0f, 0.0f, 0x1.6a09e6p-75f, "the root of a subnormal number is flushed"},
    {Operation::fma, 0x1p-149f, 0x1p0f, 0x1p-149f, 0x1p-148f, "a subnormal fused multiply-add is flushed"},
    {Operation::add, 0x1p0f, 0x1p-24f, 0.0f, 0x1p0f, "a tie of a sum is not rounded to even"},
    {Operation::add, 0x1.000002p0f, 0x1p-24f, 0.0f, 0x1.000004p0f, "a tie of a sum is not rounded to even"},
    {Operation::add, 0x1p0f, 0x1.000002p-24f, 0.0f, 0x1.000002p0f, "a sum just above a tie is not rounded to nearest"},
    {Operation::add, 0x1p0f, 0x1.fffffep-25f, 0.0f, 0x1p0f, "a sum just below a tie is not rounded to nearest"},
    {Operation::sub, 0x1p0f, 0x1p-25f, 0.0f, 0x1p0f, "a tie of a difference is not rounded to even"},
    {Operation::add, -0x1p0f, -0x1p-24f, 0.0f, -0x1p0f, "a tie of a sum is not rounded to even"},
    {Operation::add, -0x1.000002p0f, -0x1p-24f, 0.0f, -0x1.000004p0f, "a tie of a sum is not rounded to even"},
    {Operation::add, -0x1p0f, -0x1.000002p-24f, 0.0f, -0x1.000002p0f,
     "a sum just above a tie is not rounded to nearest"},
    {Operation::add, -0x1p0f, -0x1.fffffep-25f, 0.0f, -0x1p0f, "a sum just below a tie is not rounded to nearest"},
    {Operation::sub, -0x1p0f, -0x1p-25f, 0.0f, -0x1p0f, "a tie of a difference is not rounded to even"},
    {Operation::mul, 0x1.001p0f, 0x1.001p0f, 0.0f, 0x1.002p0f, "a tie of a product is not rounded to even"},
    {Operation::mul, 0x1.000002p0f, 0x1.8p0f, 0.0f, 0x1.800004p0f, "a tie of a product is not rounded to even"},
    {Operation::mul, 0x1.000006p0f, 0x1.8p0f, 0.0f, 0x1.800008p0f, "a tie of a product is not rounded to even"},
    {Operation::mul, 0x1.000002p0f, 0x1.000002p0f, 0.0f, 0x1.000004p0f,
     "a product next to a representable number is wrong"},
    {Operation::mul, 0x1.fffffep0f, 0x1.fffffep0f, 0.0f, 0x1.fffffcp1f,
     "a product next to a representable number is wrong"},
    {Operation::div, 0x1.cd4406p23f, 0x1.3ceb3ep23f, 0.0f, 0x1.7499a2p0f, "a quotient next to a midpoint is wrong"},
    {Operation::div, 0x1.e97db4p23f, 0x1.3ceb3ep23f, 0.0f, 0x1.8b665ep0f, "a quotient next to a midpoint is wrong"},
    {Operation::div, 0x1.e2863p23f, 0x1.97b752p23f, 0.0f, 0x1.2ef898p0f, "a quotient next to a midpoint is wrong"},
    {Operation::div, 0x1.a78e56p23f, 0x1.8b529ap23f, 0.0f, 0x1.12487cp0f, "a quotient next to a midpoint is wrong"},
    {Operation::div, 0x1p0f, 0x1.8p1f, 0.0f, 0x1.555556p-2f, "a quotient is wrong"},
    {Operation::div, 0x1.4p3f, 0x1.8p1f, 0.0f, 0x1.aaaaaap1f, "a quotient is wrong"},
    {Operation::div, 0x1p0f, 0x1.4p3f, 0.0f, 0x1.99999ap-4f, "a quotient is wrong"},
    {Operation::div, 0x1.000002p0f, 0x1.fffffep-1f, 0.0f, 0x1.000004p0f, "a quotient is wrong"},
    {Operation::sqrt, 0x1.000002p23f, 0.0f, 0.0f, 0x1.6a09e8p11f,
     "a root next to a midpoint or a representable number is wrong"},
    {Operation::sqrt, 0x1.000002p24f, 0.0f, 0.0f, 0x1p12f,
     "a root next to a midpoint or a representable number is wrong"},
    {Operation::sqrt, 0x1.fffffep23f, 0.0f, 0.0f, 0x1.fffffep11f,
     "a root next to a midpoint or a representable number is wrong"},
    {Operation::sqrt, 0x1.fffffep24f, 0.0f, 0.0f, 0x1.6a09e6p12f,
     "a root next to a midpoint or a representable number is wrong"},
    {Operation::sqrt, 0x1.f82294p23f, 0.0f, 0.0f, 0x1.fc0d64p11f,
     "a root next to a midpoint or a representable number is wrong"},
    {Operation::sqrt, 0x1.f82294p24f, 0.0f, 0.0f, 0x1.673f4cp12f,
     "a root next to a midpoint or a representable number is wrong"},
    {Operation::sqrt, 0x1.000006p23f, 0.0f, 0.0f, 0x1.6a09eap11f,
     "a root next to a midpoint or a representable number is wrong"},
    {Operation::sqrt, 0x1.000006p24f, 0.0f, 0.0f, 0x1.000002p12f,
     "a root next to a midpoint or a representable number is wrong"},
    {Operation::sqrt, 0x1p1f, 0.0f, 0.0f, 0x1.6a09e6p0f, "a root is wrong"},
    {Operation::sqrt, 0x1.fffffep-1f, 0.0f, 0.0f, 0x1.fffffep-1f, "a root is wrong"},
    {Operation::sqrt, 0x1.000002p0f, 0.0f, 0.0f, 0x1p0f, "a root is wrong"},
    {Operation::fma, 0x1.0008p0f, 0x1.0008p0f, -0x1.001p0f, 0x1p-26f, "a fused multiply-add rounds its product"},
    {Operation::fma, 0x1.000002p0f, 0x1.fffffcp-1f, -0x1p0f, -0x1p-46f, "a fused multiply-add rounds its product"},
    {Operation::fma, 0x1.000002p0f, 0x1.8p0f, 0x1p-149f, 0x1.800004p0f,
     "a fused multiply-add forgets an addend far below"},
    {Operation::fma, 0x1.000002p0f, 0x1.8p0f, -0x1p-149f, 0x1.800002p0f,
     "a fused multiply-add forgets an addend far below"},
    {Operation::fma, -0x1.000002p0f, 0x1.8p0f, 0x1p-149f, -0x1.800002p0f,
     "a fused multiply-add forgets an addend far below"},
    {Operation::fma, -0x1.000002p0f, 0x1.8p0f, -0x1p-149f, -0x1.800004p0f,
     "a fused multiply-add forgets an addend far below"},
    {Operation::fma, 0x1p-149f, 0x1p-149f, 0x1p0f, 0x1p0f, "a fused multiply-add forgets a product far below"},
    {Operation::fma, -0x1p-149f, 0x1p-149f, 0x1p0f, 0x1p0f, "a fused multiply-add forgets a product far below"},
    {Operation::fma, 0x1p-149f, 0x1p-149f, -0x1p-126f, -0x1p-126f,
     "a fused multiply-add is wrong at the edge of underflow"},
    {Operation::fma, 0x1p-126f, 0x1p-1f, -0x1p-149f, 0x1.fffff8p-128f,
     "a fused multiply-add is wrong at the edge of underflow"},
    {Operation::fma, 0x1.fffffep127f, 0x1p1f, -0x1.fffffep127f, 0x1.fffffep127f,
     "a fused multiply-add overflows inside"},
};

template <class T>
std::string hexadecimal(T x) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, x, std::chars_format::hex);
  return std::string(text, end.ptr);
}

template <class T>
void run_checks(const Executor& on, std::span<const Check<T>> checks, std::vector<std::string>& failures) {
  std::vector<Operands<T>> operands;
  operands.reserve(checks.size());
  for (const Check<T>& check : checks) operands.push_back({check.operation, check.a, check.b, check.c});
  const std::vector<T> results = elementwise<Apply<T>>(on, operands);
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const Check<T>& check = checks[i];
    if (to_bits(results[i]) == to_bits(check.expected)) continue;
    failures.push_back(std::string(on.name()) + ", " + FloatTraits<T>::name + ": " + check.failure + ": of " +
                       hexadecimal(check.a) + ", " + hexadecimal(check.b) + ", " + hexadecimal(check.c) + " got " +
                       hexadecimal(results[i]) + ", expected " + hexadecimal(check.expected) + ".");
  }
}

}  // namespace

std::vector<std::string> self_test(const Executor& on) {
  std::vector<std::string> failures;
  run_checks<double>(on, binary64_checks, failures);
  run_checks<float>(on, binary32_checks, failures);
  return failures;
}

}  // namespace assay
