// two_sum, two_prod and double words. Ways: of two_sum `second`: three operations, the larger number first; `third`:
// three operations for ordered numbers; of two_prod `second`: Dekker's; of dw_add `second`: sloppy; of dw_mul `second`
// and `third`: DWTimesDW1 and 2; of dw_div `second`: by a quotient and its correction; of sums, products, quotients
// and roots of double words `fourth`: exact, rounded to the nearest words; `fifth`: these with an error of `at` u²; of
// dw_add `sixth`: low words of numbers of one sign alone; of two_sum and two_prod `fourth`: the number towards zero
// where its error is a number, too. `own1`: the error is 0; `own2`: its sign; `own3`: three operations without a
// comparison; `own4`: low words are not read; `own5`: y's is not; `own6`: the words are not added at the end; `own7`:
// the product of high words without its error; `own8`: the words are swapped; `own9`: the high word alone in `narrow`;
// `own10`: no correction of the quotient or the root; `own11`: x − y in place of x + y, or y/x.
#include "exact.hpp"
#include "results.hpp"

namespace outside {

struct Words {
  double h, l;
};

class Transforms {
 public:
  explicit Transforms(const Form& of) : form(of), in(arithmetic_of<double>(of)) {}

  Words fast(double a, double b) const {
    const double s = in.add(a, b);
    return {s, in.subtract(b, in.subtract(s, a))};
  }
  Words sum(double a, double b) const {
    if (form.has(Fault::own3)) return fast(a, b);
    const double s = in.add(a, b);
    const double b_part = in.subtract(s, a);
    const double a_part = in.subtract(s, b_part);
    return {s, in.add(in.subtract(a, a_part), in.subtract(b, b_part))};
  }
  Words product(double a, double b) const {
    const double p = in.multiply(a, b);
    if (form.has(Fault::own7)) return {p, 0};
    if (form.sum == Format::f64 || form.sum == Format::f32) return {p, in.fma(a, b, -p)};
    return {p, in.round(a * b - p)};
  }
  /// Dekker's product by Veltkamp's split.
  Words split_product(double a, double b) const {
    const auto split = [&](double x) {
      const double scaled = in.multiply(std::ldexp(1.0, (range_of(form.sum).precision + 1) / 2) + 1, x);
      const double high = in.subtract(scaled, in.subtract(scaled, x));
      return Words{high, in.subtract(x, high)};
    };
    const double p = in.multiply(a, b);
    const Words x = split(a);
    const Words y = split(b);
    const double first = in.add(-p, in.multiply(x.h, y.h));
    const double second = in.add(first, in.multiply(x.h, y.l));
    const double third = in.add(second, in.multiply(x.l, y.h));
    return {p, in.add(third, in.multiply(x.l, y.l))};
  }
  Words joined(double h, double l) const { return form.has(Fault::own6) ? Words{h, l} : fast(h, l); }

  Words add(Words x, Words y) const {
    if (form.has(Fault::own11)) y = {-y.h, -y.l};
    const Words high = sum(x.h, y.h);
    if (form.way == Way::second) return joined(high.h, in.add(high.l, in.add(x.l, y.l)));
    const Words low = sum(x.l, y.l);
    const Words first = fast(high.h, in.add(high.l, low.h));
    return joined(first.h, in.add(low.l, first.l));
  }
  Words multiply(Words x, Words y) const {
    const Words high = product(x.h, y.h);
    double low;
    if (form.way == Way::second) {
      low = in.add(in.multiply(x.h, y.l), in.multiply(x.l, y.h));
    } else if (form.way == Way::third) {
      low = in.fma(x.l, y.h, in.multiply(x.h, y.l));
    } else {
      low = in.fma(x.l, y.h, in.fma(x.h, y.l, in.multiply(x.l, y.l)));
    }
    return joined(high.h, in.add(high.l, low));
  }
  /// x·a of a double word and a number.
  Words multiply(Words x, double a) const {
    const Words high = product(x.h, a);
    return fast(high.h, in.fma(x.l, a, high.l));
  }
  Words divide(Words x, Words y) const {
    if (form.has(Fault::own11)) std::swap(x, y);
    if (form.way == Way::second) {
      const double q = in.divide(x.h, y.h);
      if (form.has(Fault::own10)) return {q, 0};
      const Words r = multiply(y, q);
      const double d = in.add(in.subtract(x.h, r.h), in.subtract(x.l, r.l));
      return joined(q, in.divide(d, y.h));
    }
    const double t = in.divide(1, y.h);
    if (form.has(Fault::own10)) return multiply(x, t);
    const double rest = in.fma(-y.h, t, 1);
    const Words e = fast(rest, in.multiply(-y.l, t));
    const Words d = multiply(e, t);
    const Words sum_of = sum(d.h, t);
    const Words m = fast(sum_of.h, in.add(d.l, sum_of.l));
    return multiply(x, m);
  }
  /// The number nearest to the sum, and the number nearest to the remainder.
  Words nearest(ExactSum sum) const {
    const double high = for_format(sum.odd(), form);
    const double h = rounded(high, form.result);
    sum.add(-h);
    return {h, rounded(for_format(sum.odd(), form), form.result)};
  }
  Words exact_sum(Words x, Words y) const {
    ExactSum sum;
    for (const double each : {x.h, x.l, y.h, y.l}) sum.add(each);
    return nearest(sum);
  }
  Words exact_product(Words x, Words y) const {
    ExactSum sum;
    for (const double a : {x.h, x.l}) {
      for (const double b : {y.h, y.l}) sum.add_product(a, b);
    }
    return nearest(sum);
  }
  /// x/y: a number, and the quotient of the remainder, which has 60 bits.
  Words exact_quotient(Words x, Words y) const {
    const long double divisor = static_cast<long double>(y.h) + y.l;
    const double h = rounded(static_cast<double>((static_cast<long double>(x.h) + x.l) / divisor), form.result);
    ExactSum rest;
    for (const double each : {x.h, x.l}) rest.add(each);
    for (const double each : {y.h, y.l}) rest.add_product(-h, each);
    return {h, rounded(static_cast<double>(rest.odd() / divisor), form.result)};
  }
  /// √x: a number, and (x − h²)/(√x + h), each with the side on which the root lies.
  Words exact_root(Words x) const {
    if (x.h == 0) return {0, 0};
    const auto rest_of = [&](long double h, long double l) {  // x − (h + l)²
      ExactSum rest;
      for (const double each : {x.h, x.l}) rest.add(each);
      rest.add_product(-h, h);
      rest.add_product(-2 * h, l);
      rest.add_product(-l, l);
      return rest.odd();
    };
    const auto number_at = [&](long double root, long double rest) {
      return rounded(for_format(to_odd(root, rest > 0 ? 1 : rest < 0 ? -1 : 0), form), form.result);
    };
    const long double root = std::sqrt(static_cast<long double>(x.h) + x.l);
    const double h = number_at(root, rest_of(root, 0));
    const long double l = rest_of(h, 0) / (root + h);
    return {h, number_at(l, rest_of(h, l))};
  }
  /// The number towards zero and its error, or the nearest number if that error is not a number.
  Words towards_zero(ExactSum sum) const {
    Form cutting = form;
    cutting.fault = Fault::truncates;
    const double s = rounded(for_format(sum.odd(), cutting), form.result, true);
    ExactSum rest = sum;
    rest.add(-s);
    const double e = rounded(for_format(rest.odd(), form), form.result);
    rest.add(-e);
    return rest.odd() == 0 ? Words{s, e} : nearest(sum);
  }
  Words root(Words x) const {
    if (x.h == 0) return {0, 0};
    const double s = in.root(x.h);
    if (form.has(Fault::own10)) return {s, 0};
    const double rest = in.add(x.l, in.fma(-s, s, x.h));
    return joined(s, in.divide(rest, in.multiply(2, s)));
  }

  const Form& form;
  Arithmetic<double> in;
};

Words as_fault_has(const Form& form, Words words) {
  if (form.has(Fault::own1)) words.l = 0;
  if (form.has(Fault::own2)) words.l = -words.l;
  if (form.has(Fault::own8)) std::swap(words.h, words.l);
  if (form.has(Fault::own9)) words.h = rounded(words.h, form.narrow);
  return words;
}

void write_words(const Form& form, Size n, const std::vector<Words>& all, void* h, void* l) {
  for (Size i = 0; i < n; ++i) {
    const Shape shape{1, 1, n};
    if (is_left(form, shape, 0, 0, i)) continue;
    const Words words = as_fault_has(form, all[source_of(form, shape, 0, 0, i)]);
    store(h, i, form.result, words.h);
    store(l, i, form.result, words.l);
  }
}

enum class Transform { sum, product };
void transform(const Form& form, Transform what, Size n, const void* a, const void* b, void* s, void* e) {
  const Transforms in(form);
  std::vector<Words> all(n);
  for (Size i = 0; i < n; ++i) {
    double x = load(a, i, form.storage);
    double y = load(b, i, form.storage);
    if (form.way == Way::fourth) {
      ExactSum exact;
      if (what == Transform::product) {
        exact.add_product(x, y);
      } else {
        exact.add(x);
        exact.add(y);
      }
      all[i] = in.towards_zero(exact);
      continue;
    }
    if (what == Transform::product) {
      all[i] = form.way == Way::second ? in.split_product(x, y) : in.product(x, y);
      continue;
    }
    if (form.way == Way::second && std::fabs(x) < std::fabs(y)) std::swap(x, y);
    all[i] = form.way == Way::usual ? in.sum(x, y) : in.fast(x, y);
  }
  write_words(form, n, all, s, e);
}

enum class Operation { add, multiply, divide, root };
void double_words(const Form& form, Operation what, Size n, const void* xh, const void* xl, const void* yh,
                  const void* yl, void* zh, void* zl) {
  const Transforms in(form);
  std::vector<Words> all(n);
  for (Size i = 0; i < n; ++i) {
    Words x{load(xh, i, form.storage), load(xl, i, form.storage)};
    Words y{};
    if (what != Operation::root) y = {load(yh, i, form.storage), load(yl, i, form.storage)};
    if (form.has(Fault::own4)) x.l = y.l = 0;
    if (form.has(Fault::own5)) y.l = 0;
    if (form.way == Way::sixth && (x.h < 0) != (y.h < 0)) x.l = y.l = 0;
    if (form.way == Way::fourth || form.way == Way::fifth) {
      all[i] = what == Operation::add        ? in.exact_sum(x, y)
               : what == Operation::multiply ? in.exact_product(x, y)
               : what == Operation::divide   ? in.exact_quotient(x, y)
                                             : in.exact_root(x);
      const int bits = 2 * range_of(form.result).precision;
      if (form.way == Way::fifth) {
        all[i] = in.fast(all[i].h, in.in.add(all[i].l, std::ldexp(all[i].h * static_cast<double>(form.at), -bits)));
      }
      continue;
    }
    all[i] = what == Operation::add        ? in.add(x, y)
             : what == Operation::multiply ? in.multiply(x, y)
             : what == Operation::divide   ? in.divide(x, y)
                                           : in.root(x);
  }
  write_words(form, n, all, zh, zl);
}

}  // namespace outside

using namespace outside;
#include SYMBOLS
