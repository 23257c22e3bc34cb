#pragma once
// Kinds of scalars, of lists of numbers and of sizes: values of the traits of operations like those of the BLAS.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "properties/framework/draw.hpp"

namespace assay {

using KindNames = std::vector<std::string>;

/// 0, −0, 1, −1, ±2ᵉ with e ≠ 0, any other finite number; then infinities and NaN.
const KindNames& scalar_kinds();
inline constexpr std::size_t finite_scalar_kinds = 6;
std::size_t scalar_kind(double x);
/// A number of the kind, or any finite one if the kind is left open; |e| ≤ 12.
double draw_scalar_of(Draw& draw, std::size_t kind);

/// Zeros, integers up to 4096 in magnitude, numbers within 2^±100, numbers beyond, subnormal numbers; then infinities
/// and NaNs. A list is of the last kind that occurs among its numbers.
const KindNames& list_kinds();
inline constexpr std::size_t finite_list_kinds = 5;
/// `single`: for a list of numbers of binary32, whose subnormal numbers differ.
std::size_t number_kind(double x, bool single = false);

/// The kind of a list: the last kind that was added.
class ListKind {
 public:
  void add(std::size_t kind) {
    last_ = std::max(last_, kind);
    none_ = false;
  }
  /// `none` for an empty list.
  std::size_t value(std::size_t none) const { return none_ ? none : last_; }

 private:
  bool none_ = true;
  std::size_t last_ = 0;
};

/// The numbers of a list of the kind; of the third kind if the kind is left open.
class ListDraw {
 public:
  /// `single`: the numbers are numbers of binary32.
  ListDraw(Draw& draw, std::size_t kind, bool single = false)
      : kind_(kind), single_(single), offset_((single ? 108 : 150) * (draw.coin() ? 1 : -1)) {}
  double number(Draw& draw) const;
  /// Whether a number of the list is special, and which special value.
  bool has_special() const { return kind_ == finite_list_kinds || kind_ == finite_list_kinds + 1; }
  double special(Draw& draw) const;

 private:
  template <class T>
  double number_of_type(Draw& draw) const;

  std::size_t kind_;
  bool single_;
  int offset_;
};

/// 0, 1, 2 to 4, 5 to 16, 17 and more.
const KindNames& size_kinds();
std::size_t size_kind(std::int64_t n);
/// The smallest size of the kind.
std::int64_t smallest_size(std::size_t kind);
/// A size of the kind up to 33; 1 to 4 for a kind that is left open.
std::int64_t draw_size_of(Draw& draw, std::size_t kind);

const KindNames& no_or_yes();

/// The names from `first` on, the first `last`, and all but one.
KindNames from(const KindNames& names, std::size_t first);
KindNames up_to(const KindNames& names, std::size_t last);
KindNames all_but(const KindNames& names, const std::string& one);

}  // namespace assay
