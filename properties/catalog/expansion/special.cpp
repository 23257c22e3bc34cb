// Renormalizations and the certified sum of words that are infinite or NaN.

#include "kernels/expansion/expansion.hpp"
#include "properties/catalog/expansion/special_cases.hpp"

namespace assay::expansion {

namespace {

/// Both renormalizations to all words, the renormalization that keeps half of them, and the certified sum of the two
/// halves: the leading word of each.
template <class T>
Expansions<T> leading_words(const Executor& on, const ExpansionCase<T>& c) {
  const int n = static_cast<int>(c.x.size());
  const auto half = std::span(c.x).subspan(0, c.x.size() / 2);
  const auto other = std::span(c.x).subspan(c.x.size() / 2);
  return {{distill<T>(on, Distillation::renormalize, n, n, c.x)[0],
           distill<T>(on, Distillation::renormalize, n, n / 2, c.x)[0],
           distill<T>(on, Distillation::priest_renormalize, n, n, c.x)[0],
           expansion_op<T>(on, ExpansionOp::certified_add, n / 2, half, other)[0]},
          1};
}

template <class T>
void special() {
  Registration{TermsProperty<T>{.name = "expansion.renormalize_special" + format_suffix<T>(),
                                .domain = special_terms_domain<T>(),
                                .subject = leading_words<T>,
                                .reference = [](const ExpansionCase<T>&) -> oracle::Exact { return oracle::Dyadic(); },
                                .claims = {begins_with_nan<T>()},
                                .quick_cases = 2000}};
}

const LateRegistration special_words{"expansion", [] {
                                       special<double>();
                                       special<float>();
                                     }};

}  // namespace

}  // namespace assay::expansion
