#include "kernels/sum/generated_terms.hpp"

#include "exec/launch.hpp"
#include "kernels/sum/detail/generated_bodies.hpp"

namespace assay::sum {

void queue_mirrored_terms(const Executor& on, double* x, std::int64_t n, std::uint64_t seed,
                          const SingleTerms& single) {
  queue_indices(on, detail::parts(n), detail::MirroredTerms{x, n, seed, single});
}

void queue_symmetric_powers(const Executor& on, double* y, std::int64_t n, std::uint64_t seed) {
  queue_indices(on, detail::parts(n), detail::SymmetricPowers{y, n, seed});
}

double symmetric_power(std::uint64_t seed, std::int64_t n, std::int64_t i) {
  return detail::symmetric_power_at(seed, n, i);
}

void queue_generated_matrix(const Executor& on, double* a, std::int64_t m, std::int64_t n, std::int64_t lda,
                            std::uint64_t seed) {
  queue_indices(on, static_cast<std::size_t>(n), detail::GeneratedColumn{a, m, lda, seed});
}

}  // namespace assay::sum
