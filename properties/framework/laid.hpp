#pragma once
// A record whose lists lie along axes: its places, and records with fewer places.

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "oracle/dyadic.hpp"
#include "properties/framework/axes.hpp"
#include "properties/framework/record.hpp"

namespace assay {

/// A record with its axes: its places, and records with fewer places.
class Laid {
 public:
  /// Empty if lengths, steps and lists contradict each other.
  static std::optional<Laid> of(const Record& record, const Axes& axes);

  std::size_t axes() const { return names_.size(); }
  std::size_t length(std::size_t axis) const { return lengths_[axis]; }
  bool is_sum(std::size_t axis) const { return is_sum_[axis]; }
  /// Whether the field is a length or a step, which cannot change without other fields.
  bool is_bound(std::size_t field) const { return bound_[field]; }
  /// The fields with steps that leave gaps or lead backward.
  std::set<std::size_t> loose_steps() const;

  /// The record with only the places kept[axis], in this order. Gaps stay as they are.
  Record kept(std::size_t axis, const std::vector<std::size_t>& places) const;
  /// The record in which the given steps leave no gaps and are positive.
  Record packed(const std::set<std::size_t>& steps) const;
  /// `other` with the entries of this record, if its axes are those of this record in another order. Gaps are 0.
  std::optional<Record> moved_to(const Record& other, const Axes& axes) const;

  /// The term at each place of an axis, with all other indices 0: the product of the entries. Empty if an entry is not
  /// a finite number.
  std::vector<oracle::Dyadic> terms(std::size_t axis) const;
  /// The record in which the terms at `places` (ascending, two or more) are replaced by their rounded sum at the first
  /// of them; with `exactly`, by the fewer numbers that make up the sum. Empty if that is impossible.
  std::optional<Record> merged(std::size_t axis, const std::vector<std::size_t>& places, bool exactly) const;

 private:
  struct Side {
    std::size_t axis;
    std::size_t step;                  ///< distance of neighbors
    std::size_t gap;                   ///< step − the extent of one place
    bool backward;                     ///< the last place comes first
    std::optional<std::size_t> field;  ///< the field that holds the step
    bool step_of_one_0;
  };
  struct List {
    std::size_t field;
    std::size_t words;
    bool adds_up;
    std::vector<Side> sides;
    std::size_t tail = 0;      ///< entries after the last one
    bool ends_in_gap = false;  ///< the tail is the gap of the last side
  };
  using Places = std::vector<std::size_t>;  ///< an index for each axis

  static std::optional<List> list_of(const Record& record, const Axes::List& described, Laid& laid);
  std::size_t axis_named(const std::string& name);
  /// Writes lengths and steps into the record, and lists of zeros of the resulting sizes.
  void lay_out();
  /// Copies a record's lists into a record that is laid out; places[axis]: the old place of each new place; without a
  /// value the places are unchanged.
  void copy_from(const Laid& before, std::size_t axis, const std::vector<std::size_t>* places);
  std::size_t extent(const List& list) const;
  bool has_axis(const List& list, std::size_t axis) const;
  std::size_t place(const List& list, const Places& at) const;
  /// f(at) for every index of the list along its other axes; along `axis` the index is 0.
  template <class F>
  void for_each_line(const List& list, std::size_t axis, F&& f) const;
  const Words& words(const List& list) const { return std::get<Words>(record_.fields[list.field].value); }
  /// The value of an entry of list `l`; empty if a word is not finite, or the words do not determine a sum.
  std::optional<oracle::Dyadic> entry(std::size_t l, const Places& at) const;
  /// Sets an entry of list `l` to the value, rounded to its words. False if that overflows.
  bool set_entry(std::size_t l, const Places& at, oracle::Dyadic value);

  Record record_;
  Axes described_;
  std::vector<std::string> names_;
  std::vector<std::size_t> lengths_;
  std::vector<bool> is_sum_;
  std::vector<bool> bound_;
  std::vector<List> lists_;
};

}  // namespace assay
