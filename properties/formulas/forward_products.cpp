// Products of many factors, formula.prod.1, and which products of two factors are exact, formula.dot.1.

#include "properties/formulas/forward.hpp"

namespace assay::formulas {
namespace {

/// A product of factors in any order, one factor after another.
class Factors {
 public:
  explicit Factors(const Costs& costs) : costs_(costs) {}

  /// `large`: the largest magnitude of the computed factor.
  void take(const Ball& x, const Magnitude& error, const Magnitude& large) {
    propagated_ = propagated_ * large + exact_ * error;
    exact_ *= Magnitude(x);
    ++count_;
    const bool is_exact = error.is_zero() && x.is_finite() && Magnitude::radius(x).is_zero();
    const Dyadic number = is_exact ? x.lower() : Dyadic();
    has_zero_ = has_zero_ || (is_exact && number.is_zero());
    if (!is_exact || number.bit_length() != 1) ++rounded_;
    may_fit_ = may_fit_ && is_exact;
    if (may_fit_ && !number.is_zero()) {
      const long exponent = number.lowest_exponent();
      odd_ *= number * Dyadic::scaled(1, -exponent);
      lowest_ += std::min(exponent, 0L);
      may_fit_ = odd_.bit_length() <= costs_.precision && lowest_ >= costs_.least;
    }
    take_size(max(large, Magnitude(1UL)));
  }

  const Magnitude& propagated() const { return propagated_; }
  /// `most`: the largest magnitude of the product of computed factors.
  Magnitude local(const Magnitude& most) const {
    if (count_ == 1 || has_zero_ || may_fit_) return {};
    const Magnitude one(1UL);
    const Magnitude small = (Magnitude(count_ - 1) * costs_.half_eta + Magnitude(count_ - 2) * costs_.flushed) *
                            (one + costs_.grown(count_ - 2)) * others_;
    return costs_.grown(std::max(rounded_, 1UL) - 1) * most + small;
  }
  /// The largest magnitude of a product of some of the factors.
  Magnitude partial() const { return others_ * smallest_ * second_ * (Magnitude(1UL) + costs_.grown(count_ - 1)); }

 private:
  /// Keeps the product of all sizes but the two smallest ones.
  void take_size(Magnitude size) {
    if (count_ == 1) return swap(smallest_, size);
    if (size < smallest_) swap(smallest_, size);
    if (count_ == 2) return swap(second_, size);
    if (size < second_) swap(second_, size);
    others_ *= size;
  }

  const Costs& costs_;
  Magnitude propagated_;
  Magnitude exact_{1UL};     ///< Π|x|
  Magnitude smallest_{1UL};  ///< the two smallest max(1, |x|), and the product of the others
  Magnitude second_{1UL};
  Magnitude others_{1UL};
  unsigned long count_ = 0;
  unsigned long rounded_ = 0;  ///< factors that are not exact powers of two
  bool has_zero_ = false;      ///< an exact one
  bool may_fit_ = true;        ///< whether all products of the factors so far are numbers of the format
  Dyadic odd_ = 1;
  long lowest_ = 0;
};

}  // namespace

void Forward::prod(std::size_t k, std::size_t i) {
  Factors factors(wide_);
  for (const std::size_t step : shaped_.steps(k, 0)) {
    factors.take(value(k, 0, i, step), error(k, 0, i, step), large(k, 0, i, step));
  }
  const Magnitude propagated = factors.propagated();
  finish(k, i, propagated, factors.local(largest(k, i, propagated)), factors.partial());
}

void Forward::cumprod(std::size_t k) {
  const Shaped::Rows& rows = shaped_.rows(k);
  for (const std::size_t first : rows.first) {
    Factors factors(wide_);
    for (const std::size_t step : rows.steps) {
      const std::size_t i = first + step;
      factors.take(value(k, 0, i), error(k, 0, i), large(k, 0, i));
      const Magnitude propagated = factors.propagated();
      finish(k, i, propagated, factors.local(largest(k, i, propagated)), factors.partial());
    }
  }
}

std::optional<oracle::Format> Forward::narrow_format(std::size_t k) const {
  const bool is_input = nodes_[k].op == Op::input;
  if (!is_input && nodes_[k].op == Op::gather) return narrow_format(argument(k, 0));
  if (!is_input && !machine_.stores(nodes_[k])) return std::nullopt;
  const oracle::Format format = is_input ? parameters_[nodes_[k].parameter] : *machine_.store;
  return format.precision <= oracle::binary16.precision ? std::optional(format) : std::nullopt;
}

bool Forward::is_of_input(std::size_t k) const {
  return nodes_[k].op == Op::gather ? is_of_input(argument(k, 0)) : nodes_[k].op == Op::input;
}

bool Forward::has_exact_products(std::size_t k) const {
  // A definition that the machine stores may also be kept as it is.
  if (!is_of_input(argument(k, 0)) || !is_of_input(argument(k, 1))) return false;
  const auto a = narrow_format(argument(k, 0));
  const auto b = narrow_format(argument(k, 1));
  return a && b && a->precision + b->precision <= wide_.precision &&
         a->emin - a->precision + 1 + b->emin - b->precision + 1 >= wide_.least && a->emax + b->emax + 1 <= 127;
}

}  // namespace assay::formulas
