#include "errorbounds/elementary.hpp"

#include <stdexcept>

namespace assay {

using oracle::Dyadic;

Bound word_function_bound(int words, const Dyadic& magnitude) {
  if (words != 2 && words != 4) throw std::domain_error("elementary functions have two or four words");
  const Dyadic factor = Dyadic::scaled(1, 1 - words) + Dyadic::scaled(1, -40);
  return {Dyadic::scaled(1, -53 * words) * factor * magnitude + Dyadic::scaled(1, -1075), 1};
}

}  // namespace assay
