#include "tools/mutate/mutation.hpp"

#include <cstring>

namespace mutation {

State state;

void activate(int number) { state.active = number; }
const unsigned char* reached() { return state.reached; }
void forget() { std::memset(state.reached, 0, sizeof state.reached); }

}  // namespace mutation
