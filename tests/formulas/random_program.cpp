#include "tests/formulas/random_program.hpp"

#include <algorithm>
#include <bit>

#include "oracle/decode.hpp"

namespace assay::formulas {

RandomProgram::RandomProgram(const Shaped& shaped, const Inputs& inputs, const std::vector<Numbers>& numbers,
                             const Machine& machine, const std::vector<oracle::Format>& formats, std::uint64_t seed)
    : shaped_(shaped),
      nodes_(shaped.formula().nodes),
      inputs_(inputs),
      numbers_(numbers),
      machine_(machine),
      formats_(formats),
      wide_(machine.wide),
      narrow_(machine.store.value_or(machine.wide)),
      draw_(seed),
      values_(nodes_.size()),
      storage_(nodes_.size()),
      rows_(nodes_.size()),
      forms_(nodes_.size()),
      uses_(nodes_.size()) {
  if (machine.flushes) wide_.flush([this, always = draw_.coin()] { return always || draw_.coin(); });
  for (const Node& each : nodes_) {
    for (const std::size_t a : each.arguments) {
      if (a < uses_.size()) ++uses_[a];
    }
  }
}

RandomProgram::Numbers RandomProgram::run() {
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const bool may_store = machine_.stores(nodes_[k]) && k != shaped_.formula().result;
    storage_[k] = may_store ? draw_.below(3) : 0;
    values_[k] = computed(k);
  }
  return values_[shaped_.formula().result];
}

std::size_t RandomProgram::choose(const char* what, std::size_t count) {
  if (count < 2) return 0;
  if (next_choice_ == scheme_.size()) {
    scheme_.push_back(draw_.below(count));
    choices_ += std::string(" ") + what + "=" + std::to_string(scheme_.back());
  }
  return scheme_[next_choice_++] % count;
}

double RandomProgram::stored(std::size_t k, double x) {
  const bool is_stored = storage_[k] == 1 || (storage_[k] == 2 && draw_.coin());
  return is_stored ? narrow_.round(x) : x;
}

RandomProgram::Numbers RandomProgram::computed(std::size_t k) {
  const Node& node = nodes_[k];
  // A definition that a kernel may compute anew has other numbers here than in its other places.
  std::vector<std::pair<std::size_t, Numbers>> others;
  for (const std::size_t a : node.arguments) {
    if (a < nodes_.size() && nodes_[a].is_recomputed && draw_.coin()) {
      Numbers again = computed(a);
      others.emplace_back(a, std::exchange(values_[a], std::move(again)));
    }
  }
  choices_ += "\n  " + std::to_string(k) + " " + (node.name.empty() ? name_of(node.op) : node.name) + ":";
  scheme_.clear();
  bias_ = draw_.below(4);
  const bool is_mixed = draw_.below(4) == 0;  // each entry has choices of its own, as the tail of a loop may
  Numbers values(shaped_.size(k));
  if (node.op == Op::softmax) {
    next_choice_ = 0;
    softmax(k, values);
  } else {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (is_mixed) scheme_.clear();
      next_choice_ = 0;
      values[i] = entry(k, i);
    }
  }
  if (node.op == Op::sort) {
    const Shaped::Rows& rows = shaped_.rows(k);
    for (const std::size_t first : rows.first) {
      Numbers row;
      for (const std::size_t step : rows.steps) {
        const double x = kept(k, 0, first + step);
        std::size_t at = row.size();
        while (at > 0 && wide_.less(x, row[at - 1])) --at;
        row.insert(row.begin() + static_cast<std::ptrdiff_t>(at), x);
      }
      for (std::size_t j = 0; j < row.size(); ++j) values[first + rows.steps[j]] = row[j];
    }
  }
  if (node.op == Op::cumsum) {
    for (const std::size_t first : shaped_.rows(k).first) {
      Numbers terms;
      const bool is_running = draw_.coin();
      double running = 0;
      for (const std::size_t step : shaped_.rows(k).steps) {
        terms.push_back(value(k, 0, first + step));
        running = terms.size() == 1 ? terms[0] : wide_.add(running, terms.back());
        values[first + step] = is_running ? running : sum(terms);
      }
    }
  }
  for (double& each : values) each = stored(k, each);
  for (auto& [a, before] : others) values_[a] = std::move(before);
  return values;
}

double RandomProgram::entry(std::size_t k, std::size_t i) {
  const Node& node = nodes_[k];
  if (node.is_constant) return constant(k);
  switch (node.op) {
    case Op::input:
      return numbers_[node.parameter].empty() ? 0 : numbers_[node.parameter][i];
    case Op::gather:
    case Op::logits:
      return value(k, 0, i);
    case Op::norm:
      return 1;
    case Op::stack:
      return value(k, i % 2, i);
    case Op::where:
      return value(k, shaped_.is_in_mask(k, i) ? 0 : 1, i);
    case Op::pick: {
      const auto step = step_of_pick(shaped_, inputs_, node, k, i);
      return step ? value(k, 0, i, *step) : 0;
    }
    case Op::spread:
      return is_named(shaped_, inputs_, node, k, i) ? value(k, 0, i) : 0;
    case Op::stochastic:
      return stochastic(value(k, 0, i), shaped_.word(k, i), shaped_.words(k), *node.to);
    case Op::maximum_over: {
      double most = kept(k, 0, i, shaped_.steps(k, 0)[0]);
      for (const std::size_t step : shaped_.steps(k, 0)) most = larger(most, kept(k, 0, i, step));
      return most;
    }
    case Op::argmax: {
      const auto& steps = shaped_.steps(k, 0);
      std::size_t best = 0;
      for (std::size_t j = 1; j < steps.size(); ++j) {
        if (wide_.less(kept(k, 0, i, steps[best]), kept(k, 0, i, steps[j]))) best = j;
      }
      return wide_.round(static_cast<double>(best));
    }
    case Op::sum:
    case Op::dot: {
      for (std::size_t a = 0; node.op == Op::dot && a < 2; ++a) {
        if (const auto last = late(k, i, a)) return *last;
      }
      const Terms terms = terms_of(k, i);
      if (const auto unit = by_unit(k, terms)) return *unit;
      return sum_of(terms);
    }
    case Op::prod:
    case Op::cumprod:
      return product(factors_of(k, i));
    case Op::cumsum:
    case Op::sort:
    case Op::softmax:
      return 0;
    case Op::logsumexp:
      return logsumexp(k, i);
    case Op::variance:
      return variance(k, i);
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::maximum:
    case Op::minimum:
    case Op::pow:
    case Op::atan2:
    case Op::fmod:
    case Op::remainder:
      return two(k, i);
    default:
      return of_one(k, i);
  }
}

long double RandomProgram::constant_value(std::size_t k) const {
  const Node& node = nodes_[k];
  if (node.op == Op::constant) {
    if (node.is_pi) return 3.14159265358979323846264338327950288L;
    if (node.length) return static_cast<long double>(shaped_.value(*node.length));
    const oracle::Ball ball(node.value, 160);
    const double high = ball.lower().to_double_nearest();
    return static_cast<long double>(high) +
           static_cast<long double>((ball.lower() - oracle::exact(high)).to_double_nearest());
  }
  const long double x = constant_value(node.arguments[0]);
  return function_value(node.op, x, node.arguments.size() > 1 ? constant_value(node.arguments[1]) : 0, node.exponent);
}

double RandomProgram::constant(std::size_t k) const { return wide_.off(constant_value(k), 0); }

double RandomProgram::function(Op op, double x, double y, unsigned long exponent) {
  const double result = off(function_value(op, x, y, exponent), x == 0 && (op == Op::exp || op == Op::exp2));
  return (op == Op::exp || op == Op::exp2) ? std::max(result, 0.0) : result;
}

double RandomProgram::off(long double exact, bool is_exact) {
  const auto ulps = static_cast<double>(machine_.functions);
  const std::size_t kind = bias_ == 3 ? draw_.below(3) : bias_;
  return wide_.off(exact, kind == 0 ? 0 : kind == 1 ? ulps : -ulps, is_exact);
}

double RandomProgram::quotient(double a, double b) {
  const bool is_by_reciprocal = machine_.quotient == 2 && choose("reciprocal", 2) == 1;
  return is_by_reciprocal ? wide_.mul(a, wide_.div(1, b)) : wide_.div(a, b);
}

double RandomProgram::exponential(double x) {
  const bool is_base_two = machine_.exp_difference > 1 && choose("exp2", 2) == 1;
  if (!is_base_two) return function(Op::exp, x);
  return function(Op::exp2, wide_.mul(x, wide_.round(1.44269504088896340736)));
}

double RandomProgram::power(double x, unsigned long n) {
  if (n > 2 && choose("power", 2) == 1) return function(Op::power, x, 0, n);
  if (n == 4 && choose("squares", 2) == 1) return wide_.mul(wide_.mul(x, x), wide_.mul(x, x));
  double result = x;
  for (unsigned long j = 1; j < n; ++j) result = wide_.mul(result, x);
  return result;
}

double RandomProgram::of_one(std::size_t k, std::size_t i) {
  const double x = value(k, 0, i);
  switch (nodes_[k].op) {
    case Op::neg:
      return -x;
    case Op::abs:
      return choose("compares", machine_.flushes ? 2 : 1) == 0 ? std::abs(x)
             : wide_.less(kept(k, 0, i), 0)                    ? -kept(k, 0, i)
                                                               : kept(k, 0, i);
    case Op::relu:
      return larger(kept(k, 0, i), 0);
    case Op::sign:
      return wide_.less(0, kept(k, 0, i)) ? 1 : wide_.less(kept(k, 0, i), 0) ? -1 : 0;
    case Op::power:
      return power(x, nodes_[k].exponent);
    case Op::exp:
      return exponential(x);
    case Op::sqrt:
      return wide_.sqrt(x < 0 && -x < std::ldexp(1.0, machine_.wide.emin) && machine_.flushes ? 0 : x);
    case Op::rsqrt:
      return choose("root", 2) == 1 ? wide_.div(1, wide_.sqrt(x)) : function(Op::rsqrt, x);
    case Op::sigmoid:
      return quotient(1, wide_.add(1, exponential(-x)));
    default:
      return function(nodes_[k].op, x);
  }
}

double RandomProgram::larger(double a, double b) {
  const bool is_first = choose("compares", machine_.flushes ? 2 : 1) == 0 ? !wide_.less(a, b) : wide_.less(b, a);
  return is_first ? a : b;
}

double RandomProgram::two(std::size_t k, std::size_t i) {
  const double a = value(k, 0, i);
  const double b = value(k, 1, i);
  switch (nodes_[k].op) {
    case Op::add:
    case Op::sub: {
      const double sign = nodes_[k].op == Op::sub ? -1 : 1;
      const std::size_t fused = choose("fused", 3);
      if (fused == 1) {
        const auto product = product_of(argument(k, 0), place(k, 0, i));
        if (product) return wide_.fma(product->first, product->second, sign * b);
      }
      if (fused == 2) {
        const auto product = product_of(argument(k, 1), place(k, 1, i));
        if (product) return wide_.fma(sign * product->first, product->second, a);
      }
      return wide_.add(a, sign * b);
    }
    case Op::mul:
      for (std::size_t of_sum = 0; of_sum < 2; ++of_sum) {
        if (const auto result = moved(k, i, of_sum)) return *result;
      }
      return wide_.mul(a, b);
    case Op::div:
      if (const auto result = moved(k, i, 0)) return *result;
      return quotient(a, b);
    case Op::maximum:
      return larger(kept(k, 0, i), kept(k, 1, i));
    case Op::minimum:
      return -larger(-kept(k, 0, i), -kept(k, 1, i));
    case Op::fmod:
      return wide_.round(std::fmod(a, b));
    case Op::remainder:
      return wide_.round(std::remainder(a, b));
    case Op::pow:
      if (machine_.exp_difference > 1 && a != 0 && choose("exp2", 2) == 1) {
        const double logarithm = off(std::log2(std::abs(static_cast<long double>(a))));
        const double size = function(Op::exp2, wide_.mul(b, logarithm));
        return a < 0 && std::fmod(b, 2) != 0 ? -size : size;
      }
      return function(Op::pow, a, b);
    default:
      return function(nodes_[k].op, a, b);
  }
}

std::optional<RandomProgram::Factors> RandomProgram::product_of(std::size_t k, std::size_t i) const {
  const Node& node = nodes_[k];
  if (node.is_constant) return std::nullopt;
  switch (node.op) {
    case Op::mul:
      return Factors{value(k, 0, i), value(k, 1, i)};
    case Op::power:
      return node.exponent == 2 ? std::optional(Factors{value(k, 0, i), value(k, 0, i)}) : std::nullopt;
    case Op::neg: {
      const auto product = product_of(argument(k, 0), place(k, 0, i));
      return product ? std::optional(Factors{-product->first, product->second}) : std::nullopt;
    }
    case Op::gather:
      return product_of(argument(k, 0), place(k, 0, i));
    case Op::prod:
    case Op::cumprod:
      return last_product(factors_of(k, i));
    case Op::stack:
      return product_of(argument(k, i % 2), place(k, i % 2, i));
    case Op::where: {
      const std::size_t a = shaped_.is_in_mask(k, i) ? 0 : 1;
      return product_of(argument(k, a), place(k, a, i));
    }
    default:
      return std::nullopt;
  }
}

RandomProgram::Terms RandomProgram::terms_of(std::size_t k, std::size_t i) const {
  Terms terms;
  for (std::size_t j = 0; j < shaped_.steps(k, 0).size(); ++j) {
    const double a = value(k, 0, i, shaped_.steps(k, 0)[j]);
    if (nodes_[k].op == Op::dot) {
      terms.products.emplace_back(a, value(k, 1, i, shaped_.steps(k, 1)[j]));
    } else {
      terms.numbers.push_back(a);
    }
  }
  if (nodes_[k].op != Op::sum) return terms;
  for (const std::size_t step : shaped_.steps(k, 0)) {
    if (const auto product = product_of(argument(k, 0), place(k, 0, i) + step)) terms.products.push_back(*product);
  }
  return terms;
}

double RandomProgram::sum_of(Terms terms) {
  const bool may_fuse = terms.products.size() >= terms.numbers.size() && !terms.products.empty();
  if (!may_fuse || (!terms.numbers.empty() && choose("fused", 2) == 0)) return sum(terms.numbers);
  std::vector<Factors>& products = terms.products;
  switch (choose("products", machine_.order == Order::any ? 4 : 2)) {
    case 0: {  // each is rounded
      Numbers rounded;
      for (const auto& [a, b] : products) rounded.push_back(wide_.mul(a, b));
      return sum(rounded);
    }
    case 1: {  // one of each pair is rounded
      Numbers pairs;
      for (std::size_t j = 0; j < products.size(); j += 2) {
        const double first = wide_.mul(products[j].first, products[j].second);
        const bool is_alone = j + 1 == products.size();
        pairs.push_back(is_alone ? first : wide_.fma(products[j + 1].first, products[j + 1].second, first));
      }
      return sum(pairs);
    }
    case 2: {  // a chain
      if (draw_.coin()) draw_.shuffle(products);
      double chain = 0;
      for (const auto& [a, b] : products) chain = wide_.fma(a, b, chain);
      return chain;
    }
    default: {  // lanes, or parts
      const std::size_t lanes = 1 + choose("lanes", 8);
      Numbers chains(lanes);
      for (std::size_t j = 0; j < products.size(); ++j) {
        double& chain = chains[j % lanes];
        chain = wide_.fma(products[j].first, products[j].second, chain);
      }
      return sum(chains);
    }
  }
}

double RandomProgram::sum(Numbers terms) {
  if (choose("zeros", 2) == 1) std::erase(terms, 0.0);
  if (terms.empty()) return 0;
  if (choose("permuted", 2) == 1) draw_.shuffle(terms);
  const bool is_any = machine_.order == Order::any || (machine_.order == Order::chains && terms.size() <= 64);
  switch (choose("order", is_any ? 5 : 1)) {
    case 1:
    case 2: {
      if (choose("reversed", 2) == 1) std::ranges::reverse(terms);
      double chain = terms[0];
      for (std::size_t j = 1; j < terms.size(); ++j) chain = wide_.add(chain, terms[j]);
      return chain;
    }
    case 3:  // any tree
      while (terms.size() > 1) {
        const std::size_t a = draw_.below(terms.size() - 1);
        terms[a] = wide_.add(terms[a], terms.back());
        terms.pop_back();
      }
      return terms[0];
    case 4: {  // once, at the end
      long double exact = 0;
      for (const double each : terms) exact += each;
      return wide_.off(exact, 0);
    }
    default:
      return tree(terms, 0, terms.size(), std::bit_ceil(terms.size()));
  }
}

double RandomProgram::tree(const Numbers& terms, std::size_t first, std::size_t count, std::size_t capacity) {
  if (count == 1) return terms[first];
  const std::size_t half = capacity / 2;
  const std::size_t least = count > half ? count - half : 1;
  const std::size_t most = std::min(half, count - 1);
  const std::size_t left = least + draw_.below(most - least + 1);
  return wide_.add(tree(terms, first, left, half), tree(terms, first + left, count - left, half));
}

std::optional<double> RandomProgram::moved(std::size_t k, std::size_t i, std::size_t of_sum) {
  const std::size_t s = argument(k, of_sum);
  if (nodes_[s].extra == 0 || choose("moved", 2) == 0) return std::nullopt;
  const double c = value(k, 1 - of_sum, i);
  const bool divides = nodes_[k].op == Op::div;
  Terms terms = terms_of(s, place(k, of_sum, i));
  const std::size_t form = choose("how", 3);
  const double reciprocal = wide_.div(1, c);
  const double root = wide_.sqrt(c);
  const auto scaled = [&](double x) {
    if (!divides) return wide_.mul(x, c);
    return form == 1 ? wide_.mul(x, reciprocal) : wide_.div(x, c);
  };
  const auto by_root = [&](double x) { return divides ? wide_.div(x, root) : wide_.mul(x, root); };
  const bool is_dot = nodes_[s].op == Op::dot;
  if (!is_dot) terms.products.clear();
  const bool on_both = is_dot && form == 2 && c > 0;
  for (auto& [a, b] : terms.products) {
    if (on_both) {
      a = by_root(a);
      b = by_root(b);
    } else {
      a = scaled(a);
    }
  }
  for (double& each : terms.numbers) each = scaled(each);
  return sum_of(terms);
}

std::optional<oracle::Format> RandomProgram::narrow_format(std::size_t k) const {
  const Node& node = nodes_[k];
  if (node.op == Op::gather) return narrow_format(argument(k, 0));
  if (node.op == Op::input) {
    const oracle::Format format = formats_[node.parameter];
    return format.precision <= oracle::binary16.precision ? std::optional(format) : std::nullopt;
  }
  return storage_[k] == 1 ? machine_.store : std::nullopt;
}

std::optional<double> RandomProgram::by_unit(std::size_t k, const Terms& terms) {
  if (nodes_[k].op != Op::dot || !machine_.has_unit) return std::nullopt;
  const auto first = narrow_format(argument(k, 0));
  const auto second = narrow_format(argument(k, 1));
  if (!first || !second || choose("unit", 2) == 0) return std::nullopt;
  const std::size_t block = std::size_t{4} << choose("step", 3);
  const int bits = 23 + static_cast<int>(choose("bits", 3));
  const auto exponent = [](double x, int least) { return std::max(std::ilogb(x), least); };
  double sum = 0;
  for (std::size_t from = 0; from < terms.products.size(); from += block) {
    const std::size_t end = std::min(from + block, terms.products.size());
    int largest = -126;
    if (sum != 0) largest = std::max(largest, exponent(sum, -126));
    for (std::size_t j = from; j < end; ++j) {
      const auto& [a, b] = terms.products[j];
      if (a != 0 && b != 0) largest = std::max(largest, exponent(a, first->emin) + exponent(b, second->emin));
    }
    const auto aligned = [&](double x) { return std::trunc(std::ldexp(x, bits - largest)); };
    double whole = aligned(sum);
    for (std::size_t j = from; j < end; ++j) whole += aligned(terms.products[j].first * terms.products[j].second);
    const double exact = std::ldexp(whole, largest - bits);
    if (exact == 0) {
      sum = 0;
      continue;
    }
    const int q = exponent(exact, -126) - 23;
    sum = wide_.seen(std::ldexp(std::trunc(std::ldexp(exact, -q)), q));
  }
  return sum;
}

}  // namespace assay::formulas
