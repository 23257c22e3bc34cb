#pragma once
// Operations on sums of words whose cases are listed by number.

#include <cstdint>

#include "arith/hd.hpp"
#include "probes/words.hpp"

namespace assay::probes {

/// The classes of a list, in place of draws.
template <class List>
struct OfList {
  static constexpr int classes = List::classes;
  static constexpr const char* names[classes] = {List::names[0]};
  static constexpr bool moves = false;
};

/// Op on the cases of a list.
template <class List, auto Op>
struct ListedOperation : Operation<OfList<List>, typename List::Case, Op> {
  using typename Operation<OfList<List>, typename List::Case, Op>::Input;
  ASSAY_HD static constexpr std::uint64_t size(int input_class) { return List::size(input_class); }
  ASSAY_HD static constexpr Input at(int input_class, std::uint64_t number) { return List::at(input_class, number); }
};

/// Op(x, y) against x + y. With few bits |x + y| is not near enough to the magnitude of the result: it is a separate
/// sum.
template <class List, auto Op>
struct ListedAddition : ListedOperation<List, Op> {
  using typename ListedOperation<List, Op>::Output;
  ASSAY_HD constexpr Scaled error(const typename List::Case& c, const Output& result) const {
    const auto z = words_of(result);
    constexpr int n = decltype(z)::count;
    SumLess difference(words_of(c.x), words_of(c.y), z);
    SumLess truth(words_of(c.x), words_of(c.y), Words<n>{});
    return {magnitude<passes_for<n>>(difference.terms).upper, magnitude<passes_for<n>>(truth.terms).lower};
  }
};

/// Op(x, y) compared with xy, in the same way.
template <class List, auto Op>
struct ListedMultiplication : ListedOperation<List, Op> {
  using typename ListedOperation<List, Op>::Output;
  ASSAY_HD constexpr Scaled error(const typename List::Case& c, const Output& result) const {
    const auto z = words_of(result);
    constexpr int n = decltype(z)::count;
    ProductLess difference(words_of(c.x), words_of(c.y), z);
    ProductLess truth(words_of(c.x), words_of(c.y), Words<n>{});
    return {magnitude<passes_for<n>>(difference.terms).upper, magnitude<passes_for<n>>(truth.terms).lower};
  }
};

}  // namespace assay::probes
