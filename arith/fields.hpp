#pragma once

#include <tuple>

namespace assay {

/// A named data member of the aggregate C. A struct offers its members by a static function
/// `static constexpr auto fields() { return std::tuple{field("a", &Pair::a), field("b", &Pair::b)}; }`.
template <class C, class M>
struct Field {
  using Member = M C::*;
  const char* name;
  Member member;
};

/// The Field of `member` under `name`. `name` must outlive the Field; a literal does.
template <class C, class M>
constexpr Field<C, M> field(const char* name, M C::*member) {
  return {name, member};
}

}  // namespace assay
