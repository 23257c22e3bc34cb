#pragma once
// The switch of the mutants. Mutated sources call it at every place where a mutant could differ from the original.
//
// With MUTATION_NUMBER=<number> the switch is a constant: the object code is that of one mutant, or, with 0, of the
// original.

#include <cstddef>
#include <type_traits>

#if defined(__CUDACC__)
#define MUTATION_HD __host__ __device__
#else
#define MUTATION_HD
#endif

namespace mutation {

#if defined(MUTATION_NUMBER)

MUTATION_HD constexpr bool on(int number) { return number == MUTATION_NUMBER; }

#else

inline constexpr std::size_t most = 32768;

struct [[gnu::visibility("hidden")]] State {
  int active;                   ///< the number of the mutant that runs; 0: none
  unsigned char reached[most];  ///< whether the place of each mutant was reached
};
extern State state [[gnu::visibility("hidden")]];

/// Whether mutant `number` runs. Constant evaluation, and code on a device, use the original.
MUTATION_HD constexpr bool on(int number) {
#if defined(__CUDA_ARCH__)
  return false;
#else
  if (std::is_constant_evaluated()) return false;
  state.reached[number] = 1;
  return state.active == number;
#endif
}

/// For the program: switches mutant `number` on, and all others off.
void activate(int number);
/// One byte for each number below `most`: not 0 if the mutant's place was reached since forget().
const unsigned char* reached();
void forget();

#endif

}  // namespace mutation
