// mp_gemm_bulk: whole multiple-precision matrix products, C ← α·op(A)·op(B) + β·C of n × n × n. The oracle judges
// entries at the crossings of some rows and columns: each must be the exact value rounded once.
//
// Exit codes: run_bulk().

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/gemv.hpp"
#include "kernels/gemv/mp_gemm.hpp"
#include "tests/properties/mp_bulk.hpp"

namespace assay::gemv {
namespace {

using oracle::Dyadic;

enum class Data { mixed, one_sign, cancelling, lines_apart };
struct Kind {
  const char* name;
  Data data;
  bool transposed;
};
constexpr Kind kinds[] = {{"signs mixed", Data::mixed, false},
                          {"one sign, both transposed", Data::one_sign, true},
                          {"half a row cancels the other half", Data::cancelling, false},
                          {"exponents of one line of 64 far apart, both transposed", Data::lines_apart, true}};

/// The numbers of a product: A by row and column of op(A), B by column and row of op(B), C by row and column.
class Numbers {
 public:
  Numbers(const MpFormat& format, Data data, std::int64_t n, std::uint64_t seed)
      : format_(format), data_(data), half_(n / 2), n_(n), seed_(seed) {}

  [[nodiscard]] Number a(std::int64_t i, std::int64_t l) const {
    if (!is_twin(l)) return drawn(i, l);
    Number twin = drawn(i, l - half_);
    twin.negative = !twin.negative;
    twin.limbs[0] ^= static_cast<std::uint32_t>(bits::SplitMix64::mixed(seed_ + static_cast<std::uint64_t>(i)) & 1);
    return twin;
  }
  [[nodiscard]] Number b(std::int64_t l, std::int64_t j) const { return drawn(n_ + j, is_twin(l) ? l - half_ : l); }
  [[nodiscard]] Number c(std::int64_t i, std::int64_t j) const { return drawn(2 * n_ + i, j); }
  [[nodiscard]] Number alpha() const { return drawn(-1, 0); }
  [[nodiscard]] Number beta() const { return drawn(-1, 1); }

 private:
  [[nodiscard]] bool is_twin(std::int64_t l) const { return data_ == Data::cancelling && l >= half_ && l < 2 * half_; }
  [[nodiscard]] Number drawn(std::int64_t line, std::int64_t place) const {
    const bool far = data_ == Data::lines_apart && line >= 0 && line < 2 * n_ && line % 64 == 5;
    return drawn_number(format_, seed_, line, place, far ? 200 : 4, data_ == Data::one_sign);
  }

  const MpFormat& format_;
  Data data_;
  std::int64_t half_, n_;
  std::uint64_t seed_;
};

class Bulk {
 public:
  Bulk(const MpBulkOptions& options, int moduli)
      : options_(options), format_(mp_format(moduli)), on_(options.executor()), threads_(options.threads) {}

  /// The entries of the product that are wrong.
  std::uint64_t run(const Kind& kind) {
    const Numbers numbers(format_, kind.data, options_.n, options_.seed);
    Count count;
    judge(numbers, sampled(product(kind, numbers)), count);
    std::printf("%d moduli, %d bits, n = %lld, %s, on %s: %llu entries judged, %llu wrong\n", format_.moduli,
                format_.bits, static_cast<long long>(options_.n), kind.name, options_.on.c_str(),
                static_cast<unsigned long long>(count.judged.load()),
                static_cast<unsigned long long>(count.wrong.load()));
    std::fflush(stdout);
    return count.wrong;
  }

 private:
  mp::MpArray product(const Kind& kind, const Numbers& numbers) {
    const std::int64_t n = options_.n;
    const auto array = [&](std::int64_t length, auto&& of_place) {
      return array_of_places(on_, threads_, format_, length, of_place);
    };
    const auto matrix = [&](auto&& of) {
      return array(n * n, [&, of](std::int64_t k) { return kind.transposed ? of(k / n, k % n) : of(k % n, k / n); });
    };
    const mp::MpArray a = matrix([&](std::int64_t i, std::int64_t l) { return numbers.a(i, l); });
    const mp::MpArray b = matrix([&](std::int64_t l, std::int64_t j) { return numbers.b(l, j); });
    const mp::MpArray c = array(n * n, [&](std::int64_t k) { return numbers.c(k % n, k / n); });
    const mp::MpArray alpha = array(1, [&](std::int64_t) { return numbers.alpha(); });
    const mp::MpArray beta = array(1, [&](std::int64_t) { return numbers.beta(); });
    const auto trans = kind.transposed ? blas::Transpose::yes : blas::Transpose::no;
    mp::MpArray result = gemm::mp_gemm(on_, {format_.moduli, trans, trans, n, n, n}, alpha, a, n, b, n, beta, c, n);
    if (options_.wrong) result.sign[0] ^= 1;
    return result;
  }

  /// The rows and columns whose crossings are judged.
  [[nodiscard]] std::int64_t lines() const {
    const auto wanted = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(options_.entries))));
    return std::min(options_.n, wanted);
  }
  [[nodiscard]] std::int64_t line(std::int64_t sample) const { return sample * options_.n / lines(); }

  /// The judged entries of a result in modulus planes, by columns.
  [[nodiscard]] mp::MpNumbers sampled(const mp::MpArray& all) const {
    const auto count = static_cast<std::size_t>(lines() * lines());
    const auto size = static_cast<std::size_t>(all.n) + 1;
    mp::MpArray some = mp::mp_zeros(all.n, count);
    for (std::size_t at = 0; at < count; ++at) {
      const auto sample = static_cast<std::int64_t>(at);
      const auto from = static_cast<std::size_t>(line(sample % lines()) + line(sample / lines()) * options_.n);
      for (std::size_t i = 0; i < size; ++i) some.digits[at * size + i] = all.digits[i * all.length + from];
      some.sign[at] = all.sign[from];
      some.exponent[at] = all.exponent[from];
      some.lower[at] = all.lower[from];
      some.upper[at] = all.upper[from];
    }
    return {&mp::mp_system(format_.moduli), std::move(some)};
  }

  void judge(const Numbers& numbers, const mp::MpNumbers& result, Count& count) {
    const std::int64_t n = options_.n;
    std::vector<std::vector<Dyadic>> columns(static_cast<std::size_t>(lines()));
    in_parallel(threads_, lines(), [&](std::int64_t sample) {
      std::vector<Dyadic>& column = columns[static_cast<std::size_t>(sample)];
      for (std::int64_t l = 0; l < n; ++l) column.push_back(numbers.b(l, line(sample)).value());
    });
    const Dyadic alpha = numbers.alpha().value();
    const Dyadic beta = numbers.beta().value();
    in_parallel(threads_, lines(), [&](std::int64_t sample) {
      const std::int64_t i = line(sample);
      std::vector<Dyadic> row;
      for (std::int64_t l = 0; l < n; ++l) row.push_back(numbers.a(i, l).value());
      for (std::int64_t other = 0; other < lines(); ++other) {
        const std::int64_t j = line(other);
        const std::vector<Dyadic>& column = columns[static_cast<std::size_t>(other)];
        Dyadic sum;
        for (std::size_t l = 0; l < row.size(); ++l) sum.add_mul(row[l], column[l]);
        const Dyadic truth = alpha * sum + beta * numbers.c(i, j).value();
        Dyadic got;
        count.add(component_value(result, static_cast<std::size_t>(sample + other * lines()), got) &&
                  got == rounded_to_bits(format_.bits, truth));
      }
    });
  }

  MpBulkOptions options_;
  MpFormat format_;
  Executor on_;
  unsigned threads_;
};

int run(int argc, char** argv) {
  MpBulkOptions options;
  options.entries = 100000;
  options.n = 128;
  return run_mp_bulk<Bulk>("mp_gemm_bulk", "Compares whole multiple-precision matrix products with exact values.", argc,
                           argv, options, 4096, kinds);
}

}  // namespace
}  // namespace assay::gemv

int main(int argc, char** argv) { return assay::gemv::run(argc, argv); }
