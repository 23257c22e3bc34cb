// Rows of random programs: products of many factors, softmax, logsumexp, variance.

#include <algorithm>

#include "tests/formulas/random_program.hpp"

namespace assay::formulas {

RandomProgram::Numbers RandomProgram::factors_of(std::size_t k, std::size_t i) const {
  Numbers factors;
  for (const std::size_t place : shaped_.factors(k, i)) factors.push_back(values_[argument(k, 0)][place]);
  return factors;
}

double RandomProgram::product(Numbers factors) {
  const std::size_t order = choose("factors", 3);
  if (order != 0) draw_.shuffle(factors);
  while (factors.size() > 1) {
    // The last two, or any two.
    const std::size_t a = order == 2 ? draw_.below(factors.size() - 1) : factors.size() - 2;
    factors[a] = wide_.mul(factors[a], factors.back());
    factors.pop_back();
  }
  return factors[0];
}

std::optional<RandomProgram::Factors> RandomProgram::last_product(const Numbers& factors) const {
  if (factors.size() < 2) return std::nullopt;
  double so_far = factors[0];
  for (std::size_t j = 1; j + 1 < factors.size(); ++j) so_far = wide_.mul(so_far, factors[j]);
  return Factors{so_far, factors.back()};
}

RandomProgram::Row RandomProgram::row_of(std::size_t logits, std::size_t r) {
  const Shaped::Rows& rows = shaped_.rows(logits);
  Row row;
  for (const std::size_t step : rows.steps) {
    const std::size_t i = rows.first[r] + step;
    if (!shaped_.counts(logits, i) || values_[logits][i] == -INFINITY) continue;  // its weight is 0
    row.places.push_back(i);
    row.logits.push_back(values_[logits][i]);
  }
  return row;
}

RandomProgram::Exponential RandomProgram::draw_form() {
  return static_cast<Exponential>(choose("exp", machine_.exp_difference > 1 ? 3 : 1));
}

double RandomProgram::weight(double s, double shift, Exponential form) {
  const double log2_of_e = wide_.round(1.44269504088896340736);
  switch (form) {
    case Exponential::plain:
      return function(Op::exp, wide_.add(s, -shift));
    case Exponential::base_two:
      return function(Op::exp2, wide_.mul(wide_.add(s, -shift), log2_of_e));
    default:
      return function(Op::exp2, wide_.fma(s, log2_of_e, -wide_.mul(shift, log2_of_e)));
  }
}

double RandomProgram::weigh(Row& row, Exponential form, std::size_t block, const Numbers* values) {
  row.weights.assign(row.logits.size(), 0);
  double& shift = row.shift;
  double with_values = 0;
  row.sum = 0;
  // Weights in several blocks are rescaled, or computed anew for the quotient.
  const bool rescales_weights = !machine_.is_online || choose("weights", 2) == 1;
  for (std::size_t from = 0; from < row.logits.size(); from += block) {
    const std::size_t end = std::min(from + block, row.logits.size());
    const double before = shift;
    if (from == 0) shift = row.logits[0];
    for (std::size_t j = from; j < end; ++j) shift = larger(shift, row.logits[j]);
    if (from != 0 && shift != before) {
      const double factor = weight(before, shift, form);
      row.sum = wide_.mul(row.sum, factor);
      with_values = wide_.mul(with_values, factor);
      for (std::size_t j = 0; rescales_weights && j < from; ++j) row.weights[j] = wide_.mul(row.weights[j], factor);
    }
    Numbers block_weights;
    Terms block_terms;
    for (std::size_t j = from; j < end; ++j) {
      row.weights[j] = weight(row.logits[j], shift, form);
      block_weights.push_back(row.weights[j]);
      if (values != nullptr) block_terms.products.emplace_back(row.weights[j], (*values)[j]);
    }
    const double sum_of_block = sum(block_weights);
    row.sum = from == 0 ? sum_of_block : wide_.add(row.sum, sum_of_block);
    if (values != nullptr) {
      const double of_block = sum_of(block_terms);
      with_values = from == 0 ? of_block : wide_.add(with_values, of_block);
    }
  }
  for (std::size_t j = 0; !rescales_weights && j < row.logits.size(); ++j)
    row.weights[j] = weight(row.logits[j], shift, form);
  return with_values;
}

void RandomProgram::softmax(std::size_t k, Numbers& values) {
  const std::size_t t = argument(k, 0);
  const Shaped::Rows& rows = shaped_.rows(t);
  forms_[k] = draw_form();
  const bool is_online = machine_.is_online && choose("online", 2) == 1;
  const std::size_t length = std::max<std::size_t>(1, rows.steps.size());
  const std::size_t block = is_online ? 1 + choose("block", length) : length;
  rows_[k].clear();
  for (std::size_t r = 0; r < rows.first.size(); ++r) {
    Row row = row_of(t, r);
    weigh(row, forms_[k], block, nullptr);
    for (std::size_t j = 0; j < row.places.size(); ++j) values[row.places[j]] = quotient(row.weights[j], row.sum);
    rows_[k].push_back(std::move(row));
  }
}

double RandomProgram::logsumexp(std::size_t k, std::size_t i) {
  Row row = row_of(argument(k, 0), i);
  if (row.places.empty()) return -INFINITY;
  const Exponential form = draw_form();
  const bool is_online = machine_.is_online && choose("online", 2) == 1;
  const std::size_t block = is_online ? 1 + choose("block", row.places.size()) : row.places.size();
  weigh(row, form, block, nullptr);
  if (form == Exponential::plain) return wide_.add(row.shift, function(Op::log, row.sum));
  const double shift = wide_.mul(row.shift, wide_.round(1.44269504088896340736));
  const double logarithm = off(std::log2(static_cast<long double>(row.sum)));
  return wide_.mul(wide_.add(shift, logarithm), wide_.round(0.69314718055994530942));
}

std::optional<double> RandomProgram::late(std::size_t k, std::size_t i, std::size_t of_weights) {
  std::vector<std::size_t> places;
  for (const std::size_t step : shaped_.steps(k, of_weights)) places.push_back(place(k, of_weights, i) + step);
  std::size_t node = argument(k, of_weights);
  double sign = 1;
  bool is_lone = uses_[node] == 1;
  while (nodes_[node].op == Op::gather || nodes_[node].op == Op::neg) {
    for (std::size_t& each : places) each = place(node, 0, each);
    if (nodes_[node].op == Op::neg) sign = -sign;
    node = argument(node, 0);
    is_lone = is_lone && uses_[node] == 1;
  }
  if (nodes_[node].op != Op::softmax || choose("late", 2) == 0) return std::nullopt;
  const Shaped::Rows& rows = shaped_.rows(argument(node, 0));
  for (std::size_t r = 0; r < rows.first.size(); ++r) {
    const bool is_this_row =
        places.size() == rows.steps.size() && std::ranges::all_of(rows.steps, [&](std::size_t step) {
          return std::ranges::find(places, rows.first[r] + step) != places.end();
        });
    const Row& row = rows_[node][r];
    if (!is_this_row || row.places.empty()) continue;
    std::vector<std::optional<std::size_t>> in_row;  // none for a masked weight
    for (const std::size_t each : places) {
      const auto at = std::ranges::find(row.places, each);
      in_row.emplace_back();
      if (at != row.places.end()) in_row.back() = static_cast<std::size_t>(at - row.places.begin());
    }
    Numbers values(row.places.size());
    Terms terms;
    for (std::size_t j = 0; j < places.size(); ++j) {
      if (!in_row[j]) continue;
      const double v = sign * value(k, 1 - of_weights, i, shaped_.steps(k, 1 - of_weights)[j]);
      values[*in_row[j]] = v;
      terms.products.emplace_back(stored(node, row.weights[*in_row[j]]), v);
    }
    // The sum of this row is another one than that of other uses.
    if (is_lone && machine_.is_online && choose("online", 2) == 1) {
      Row again = row;
      const std::size_t block = 1 + choose("block", row.places.size());
      const double sum_of_values = weigh(again, forms_[node], block, &values);
      return quotient(sum_of_values, again.sum);
    }
    return quotient(sum_of(terms), row.sum);
  }
  return std::nullopt;
}

double RandomProgram::variance(std::size_t k, std::size_t i) {
  Numbers terms;
  for (const std::size_t step : shaped_.steps(k, 0)) terms.push_back(value(k, 0, i, step));
  const auto n = static_cast<double>(terms.size());
  const double mean = quotient(sum(terms), n);
  const bool is_one_pass = machine_.has_one_pass && choose("one_pass", 2) == 1;
  Terms squares;
  for (const double each : terms) {
    const double d = is_one_pass ? each : wide_.add(each, -mean);
    squares.products.emplace_back(d, d);
  }
  const double of_squares = quotient(sum_of(squares), n);
  if (!is_one_pass) return of_squares;
  return choose("fused", 2) == 1 ? wide_.fma(-mean, mean, of_squares) : wide_.add(of_squares, -wide_.mul(mean, mean));
}

}  // namespace assay::formulas
