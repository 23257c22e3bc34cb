#pragma once
// A program drawn at random from the freedoms of a machine model: the order of each sum, which products are fused,
// which definitions are stored, the form of each exponential, quotient, softmax and variance, where factors are
// multiplied, by how much elementary functions err, and what is flushed to zero. It computes a formula as
// docs/formula.md and the hypotheses of docs/bounds/formula.md say that a kernel may. Its result must keep the contract
// of the machine.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "properties/formulas/machine.hpp"
#include "properties/formulas/values.hpp"
#include "tests/formulas/random_arithmetic.hpp"

namespace assay::formulas {

class RandomProgram {
 public:
  using Numbers = std::vector<double>;

  /// `numbers`: by parameter, empty for integers, which `inputs` has. `formats`: of the parameters. Keeps all by
  /// reference.
  RandomProgram(const Shaped& shaped, const Inputs& inputs, const std::vector<Numbers>& numbers, const Machine& machine,
                const std::vector<oracle::Format>& formats, std::uint64_t seed);

  /// The result in the format of the machine.
  Numbers run();
  /// The choices made, by node.
  const std::string& choices() const { return choices_; }

 private:
  using Factors = std::pair<double, double>;
  struct Terms {
    std::vector<Factors> products = {};
    Numbers numbers = {};  ///< or terms without factors
  };
  /// A row of a softmax.
  struct Row {
    std::vector<std::size_t> places = {};
    Numbers logits = {};
    Numbers weights = {};
    double sum = 0;
    double shift = 0;  ///< the largest logit, as the program finds it
  };
  enum class Exponential { plain, base_two, base_two_fused };

  Numbers computed(std::size_t k);
  double entry(std::size_t k, std::size_t i);
  double two(std::size_t k, std::size_t i);
  /// The larger of two numbers, by a comparison either way.
  double larger(double a, double b);
  double of_one(std::size_t k, std::size_t i);
  double constant(std::size_t k) const;
  long double constant_value(std::size_t k) const;
  double quotient(double a, double b);
  double power(double x, unsigned long n);
  /// exp(x) in one of the forms of the machine.
  double exponential(double x);
  /// A function within the ulps of the machine.
  double function(Op op, double x, double y = 0, unsigned long exponent = 0);
  /// A number that errs as such a function does.
  double off(long double exact, bool is_exact = false);

  /// The factors of an entry that is a product, perhaps moved or negated.
  std::optional<Factors> product_of(std::size_t k, std::size_t i) const;
  Terms terms_of(std::size_t k, std::size_t i) const;
  double sum_of(Terms terms);
  double sum(Numbers terms);
  double tree(const Numbers& terms, std::size_t first, std::size_t count, std::size_t capacity);
  /// The factors of an entry of Op::prod or Op::cumprod.
  Numbers factors_of(std::size_t k, std::size_t i) const;
  /// Their product, by a chain or any other tree.
  double product(Numbers factors);
  /// The last multiplication of their product in order; none of one factor.
  std::optional<Factors> last_product(const Numbers& factors) const;
  /// A sum that is multiplied by a factor, or divided by it, with the factor moved into its terms.
  std::optional<double> moved(std::size_t k, std::size_t i, std::size_t of_sum);
  /// A contraction by a matrix unit; none if the factors are not narrow.
  std::optional<double> by_unit(std::size_t k, const Terms& terms);
  std::optional<oracle::Format> narrow_format(std::size_t k) const;

  void softmax(std::size_t k, Numbers& values);
  double logsumexp(std::size_t k, std::size_t i);
  Row row_of(std::size_t logits, std::size_t r);
  /// Weights and their sum, at once or in blocks with rescaled sums. `values`: what the weights are multiplied by; its
  /// sum is returned.
  double weigh(Row& row, Exponential form, std::size_t block, const Numbers* values);
  double weight(double s, double shift, Exponential form);
  Exponential draw_form();
  /// Σ w·v/l with the quotient last; none if the weights are not those of one row.
  std::optional<double> late(std::size_t k, std::size_t i, std::size_t of_weights);
  double variance(std::size_t k, std::size_t i);

  std::size_t argument(std::size_t k, std::size_t a) const { return nodes_[k].arguments[a]; }
  std::size_t place(std::size_t k, std::size_t a, std::size_t i) const { return shaped_.places(k, a)[i]; }
  double value(std::size_t k, std::size_t a, std::size_t i, std::size_t step = 0) const {
    return wide_.seen(values_[argument(k, a)][place(k, a, i) + step]);
  }
  /// A number that a comparison may read as 0, and that is selected as it is.
  double kept(std::size_t k, std::size_t a, std::size_t i, std::size_t step = 0) const {
    return values_[argument(k, a)][place(k, a, i) + step];
  }
  /// A choice of a node among so many, the same for all of its entries.
  std::size_t choose(const char* what, std::size_t count);
  double stored(std::size_t k, double x);

  const Shaped& shaped_;
  const std::vector<Node>& nodes_;
  const Inputs& inputs_;
  const std::vector<Numbers>& numbers_;
  const Machine& machine_;
  const std::vector<oracle::Format>& formats_;
  Arithmetic wide_;
  Arithmetic narrow_;
  Choice draw_;
  std::vector<Numbers> values_;
  std::vector<std::size_t> storage_;    ///< by node: 0 not, 1 all, 2 some entries
  std::vector<std::vector<Row>> rows_;  ///< by node of a softmax
  std::vector<Exponential> forms_;      ///< by node of a softmax
  std::vector<std::size_t> uses_;       ///< by node
  std::vector<std::size_t> scheme_;     ///< choices of the current node
  std::size_t next_choice_ = 0;
  std::size_t bias_ = 0;  ///< of functions at the current node: 0 none, 1 up, 2 down, 3 any
  std::string choices_;
};

}  // namespace assay::formulas
