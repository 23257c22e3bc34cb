#pragma once
// A hunt for the largest error/bound of a machine: programs and inputs are changed step by step, and changes that
// bring the error nearer to the bound are kept.

#include <vector>

#include "properties/formulas/door/case.hpp"
#include "properties/framework/draw.hpp"

namespace assay::formulas {

class Hunt {
 public:
  /// A program of the machine with inputs, and its largest error/bound.
  struct Found {
    Case c = {};
    std::uint64_t seed = 0;
    double tightness = 0;
  };

  /// Keeps the arguments by reference. `seed`: of all choices.
  Hunt(const Typed& typed, const Machine& machine, std::uint64_t seed);

  /// The worst of the programs: at most `programs` are judged, fewer once the tightness is `goal`.
  const Found& by_programs(double goal, std::size_t programs);
  /// The worst of what the machine grants beyond programs: for a function of one number any result within its bound,
  /// for all numbers of the format; else what the adversary of formula.sharp.1 has, rounded toward the exact value, in
  /// so many cases at most.
  double by_adversary(double goal, std::size_t cases);

 private:
  using Numbers = std::vector<double>;

  bool is_of_one_number() const;
  /// A function of one number with all numbers of the format.
  Case with_all_numbers();
  const Formula& graph_of(std::uint64_t seed) const;
  Numbers result_of(const Case& c, std::uint64_t seed) const;
  /// Near the error that is judged, of a result.
  double error_of(double result, double exact) const;
  /// Tightness of a program, or where it is 0, how far the exact value is from where an error would show: below 0.
  double score_of(const Case& c, std::uint64_t seed) const;
  /// The same of the adversary.
  double score_of_adversary(const Case& c) const;
  Case drawn();
  Case changed(Case c);
  /// Climbs until the goal is reached. `score`: of a case and a seed.
  template <class F>
  Found climb(double goal, std::size_t steps, const F& score);
  /// Programs with all entries of a case, each judged where it comes nearest to its bound. By entry the largest
  /// error/bound, nearly.
  Numbers try_programs(const Case& c, std::size_t programs, double goal);
  /// A function of one number with some of its entries.
  Case only(const Case& c, const std::vector<std::size_t>& entries) const;

  const Typed& typed_;
  const Machine& machine_;
  Draw draw_;
  Found best_;
};

}  // namespace assay::formulas
