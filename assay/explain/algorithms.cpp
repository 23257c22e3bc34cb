#include "assay/explain/algorithms.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "oracle/decode.hpp"
#include "oracle/round.hpp"

namespace assay::explain {
namespace {

using Places = std::vector<std::size_t>;

/// Thrown if the result has no such entry, or if it takes too many steps.
struct NoSteps {};

/// A case, and the tape on which its steps are written.
class Writer {
 public:
  Writer(const oracle::Format& of, const Record& record, std::size_t entry)
      : tape_(of), record_(record), entry_(entry) {}

  Tape take() { return std::move(tape_); }
  [[nodiscard]] std::size_t entry() const { return entry_; }

  [[nodiscard]] const Words* find(const std::string& name) const {
    for (const FieldValue& each : record_.fields) {
      if (each.name == name) return std::get_if<Words>(&each.value);
    }
    return nullptr;
  }
  [[nodiscard]] std::size_t count(const std::string& name) const {
    const Words* const words = find(name);
    return words == nullptr ? 0 : words->bits.size();
  }
  [[nodiscard]] std::size_t integer(const std::string& name) const {
    for (const FieldValue& each : record_.fields) {
      const auto* const value = std::get_if<std::int64_t>(&each.value);
      if (each.name == name && value != nullptr) return static_cast<std::size_t>(*value);
    }
    return 0;
  }

  /// Whether a field with one number has the value `number`.
  [[nodiscard]] bool is(const std::string& name, int number) const {
    const Words* const words = find(name);
    return words != nullptr && oracle::is_finite(words->format, words->bits.front()) &&
           oracle::decode_finite(words->format, words->bits.front()) == oracle::Dyadic(number);
  }

  /// Number i of a list as an input.
  std::size_t at(const std::string& list, std::size_t i) {
    const Words* const words = find(list);
    if (words == nullptr || i >= words->bits.size()) throw NoSteps{};
    const bool is_list = words->shape == Words::Shape::list;
    return input(is_list ? numbered(list, i) : list, words->format, words->bits[i]);
  }
  /// The magnitude of number i of a list as an input.
  std::size_t magnitude_at(const std::string& list, std::size_t i) {
    const Words& words = *find(list);
    return input("|" + numbered(list, i) + "|", words.format, words.bits[i] & ~words.format.sign_mask());
  }
  /// The numbers first … first + n − 1 of a list as inputs.
  Places all_of(const std::string& list, std::size_t first, std::size_t n) {
    Places places;
    for (std::size_t i = 0; i < n; ++i) places.push_back(at(list, first + i));
    return places;
  }
  std::size_t input(const std::string& name, const oracle::Format& format, std::uint64_t bits) {
    if (tape_.nodes().size() >= most_nodes) throw NoSteps{};
    return tape_.input(name, format, bits);
  }
  std::size_t integer_input(std::size_t n) {
    const auto bits = oracle::round(oracle::Dyadic(n), oracle::binary64, oracle::Rounding::nearest);
    return input(std::to_string(n), oracle::binary64, bits);
  }

  std::size_t step(const std::string& name, Operator op, std::size_t a, std::size_t b) {
    if (tape_.nodes().size() >= most_nodes) throw NoSteps{};
    return tape_.step(name, op, a, b);
  }
  std::size_t function(const std::string& name, const char* of, std::size_t a) {
    return tape_.step(name, *function_named(of), a);
  }
  /// The sum, from the first term to the last: s[i] is the sum of the terms up to i.
  std::size_t sum(const std::string& name, const Places& terms) {
    if (terms.empty()) return integer_input(0);
    std::size_t total = terms.front();
    for (std::size_t i = 1; i < terms.size(); ++i) {
      total = step(numbered(name, i), Operator::add, total, terms[i]);
    }
    return total;
  }
  /// The products p[i] = aᵢ·bᵢ.
  Places products(const std::string& name, const Places& a, const Places& b) {
    Places places;
    for (std::size_t i = 0; i < a.size(); ++i) {
      places.push_back(step(numbered(name, i), Operator::multiply, a[i], b[i]));
    }
    return places;
  }
  [[nodiscard]] const Tape& tape() const { return tape_; }

  static std::string numbered(const std::string& name, std::size_t i) { return name + "[" + std::to_string(i) + "]"; }

 private:
  Tape tape_;
  const Record& record_;
  std::size_t entry_;
};

void write_sum(Writer& w) { w.sum("s", w.all_of("x", 0, w.count("x"))); }
void write_cumsum(Writer& w) { w.sum("s", w.all_of("x", 0, w.entry() + 1)); }
void write_asum(Writer& w) {
  Places terms;
  for (std::size_t i = 0; i < w.count("x"); ++i) terms.push_back(w.magnitude_at("x", i));
  w.sum("s", terms);
}
void write_nrm2(Writer& w) {
  const Places x = w.all_of("x", 0, w.count("x"));
  w.function("r", "sqrt", w.sum("s", w.products("q", x, x)));
}
void write_dot(Writer& w) {
  const Places x = w.all_of("x", 0, w.count("x"));
  w.sum("s", w.products("p", x, w.all_of("y", 0, w.count("y"))));
}
void write_axpy(Writer& w) {
  const std::size_t x = w.at("x", w.entry());
  const std::size_t product = w.step("p", Operator::multiply, w.at("alpha", 0), x);
  w.step("r", Operator::add, product, w.at("y", w.entry()));
}

/// α·(Σ aᵢbᵢ) + β·c. α = 1 is not a step. Numbers that α = 0 or β = 0 multiplies are not read.
void write_scaled_product(Writer& w, const Places& a, const Places& b) {
  std::size_t result = w.is("alpha", 0) ? w.integer_input(0) : w.sum("s", w.products("p", a, b));
  if (!w.is("alpha", 0) && !w.is("alpha", 1)) result = w.step("t", Operator::multiply, w.at("alpha", 0), result);
  if (w.is("beta", 0)) return;
  std::size_t c = w.at("c", w.entry());
  if (!w.is("beta", 1)) c = w.step("v", Operator::multiply, w.at("beta", 0), c);
  w.step("r", Operator::add, result, c);
}

/// Column-major matrices with gaps. The number of the entry is its place in the array of C.
void write_gemm(Writer& w) {
  const std::size_t ldc = w.integer("ldc"), stride = w.integer("stride_c"), n = w.integer("n"), m = w.integer("m");
  for (std::size_t p = 0; p < w.integer("batch"); ++p) {
    for (std::size_t j = 0; j < n; ++j) {
      if (w.entry() < p * stride + j * ldc || w.entry() - p * stride - j * ldc >= m) continue;
      const std::size_t i = w.entry() - p * stride - j * ldc;
      Places a, b;
      for (std::size_t l = 0; l < w.integer("k"); ++l) {
        const bool trans_a = w.integer("trans_a") == 1, trans_b = w.integer("trans_b") == 1;
        const std::size_t lda = w.integer("lda"), ldb = w.integer("ldb");
        a.push_back(w.at("a", p * w.integer("stride_a") + (trans_a ? l + i * lda : i + l * lda)));
        b.push_back(w.at("b", p * w.integer("stride_b") + (trans_b ? j + l * ldb : l + j * ldb)));
      }
      return write_scaled_product(w, a, b);
    }
  }
  throw NoSteps{};
}

/// The row of A and the column of B that make an entry, for row-major matrices without gaps.
std::pair<Places, Places> factors_of(Writer& w) {
  const std::size_t m = w.integer("m"), n = w.integer("n"), k = w.integer("k");
  if (m * n == 0 || w.entry() >= w.integer("batch") * m * n) throw NoSteps{};
  const std::size_t p = w.entry() / (m * n), row = w.entry() / n, column = w.entry() % n;
  Places b;
  for (std::size_t l = 0; l < k; ++l) b.push_back(w.at("b", (p * k + l) * n + column));
  return {w.all_of("a", row * k, k), b};
}
void write_matmul(Writer& w) {
  const auto [a, b] = factors_of(w);
  w.sum("s", w.products("p", a, b));
}
void write_matmul_epilogue(Writer& w) {
  const auto [a, b] = factors_of(w);
  write_scaled_product(w, a, b);
}

/// The numbers of the entry's row.
Places row_of(Writer& w) {
  const std::size_t columns = w.integer("columns");
  return w.all_of("x", w.entry() / columns * columns, columns);
}

/// xᵢ minus the largest number of the row. A NaN counts as the largest number.
Places below_largest(Writer& w) {
  const Places x = row_of(w);
  const auto is_below = [&](std::size_t a, std::size_t b) {
    const Node& left = w.tape().nodes()[a];
    const Node& right = w.tape().nodes()[b];
    if (oracle::is_nan(left.format, left.bits) || oracle::is_nan(right.format, right.bits)) {
      return oracle::is_nan(right.format, right.bits);
    }
    if (left.is_finite() && right.is_finite()) return left.value() < right.value();
    return left.is_finite() ? !oracle::is_negative(right.format, right.bits)
                            : oracle::is_negative(left.format, left.bits);
  };
  const std::size_t largest = *std::ranges::max_element(x, is_below);
  Places d;
  for (std::size_t i = 0; i < x.size(); ++i) {
    d.push_back(w.step(Writer::numbered("d", i), Operator::subtract, x[i], largest));
  }
  return d;
}
void write_softmax_of(Writer& w, bool is_log) {
  const Places d = below_largest(w);
  Places e;
  for (std::size_t i = 0; i < d.size(); ++i) e.push_back(w.function(Writer::numbered("e", i), "exp", d[i]));
  const std::size_t z = w.sum("z", e);
  const std::size_t i = w.entry() % d.size();
  if (is_log) {
    w.step("r", Operator::subtract, d[i], w.function("l", "log", z));
  } else {
    w.step("r", Operator::divide, e[i], z);
  }
}
void write_softmax(Writer& w) { write_softmax_of(w, false); }
void write_log_softmax(Writer& w) { write_softmax_of(w, true); }

/// x·w/√(Σx²/n + ε) + b; rms_norm has no b.
void write_normalized(Writer& w, const Places& x) {
  const std::size_t i = w.entry() % x.size();
  const std::size_t n = w.integer_input(x.size());
  const std::size_t v = w.step("v", Operator::divide, w.sum("t", w.products("q", x, x)), n);
  const std::size_t root = w.function("g", "sqrt", w.step("u", Operator::add, v, w.at("eps", 0)));
  const std::size_t y = w.step("y", Operator::divide, x[i], root);
  const std::size_t scaled = w.step("h", Operator::multiply, y, w.at("weight", i));
  if (w.find("bias") != nullptr) w.step("r", Operator::add, scaled, w.at("bias", i));
}
void write_rms_norm(Writer& w) { write_normalized(w, row_of(w)); }
void write_layer_norm(Writer& w) {
  const Places x = row_of(w);
  const std::size_t sum = w.sum("s", x);
  const std::size_t mean = w.step("mu", Operator::divide, sum, w.integer_input(x.size()));
  Places d;
  for (std::size_t i = 0; i < x.size(); ++i) {
    d.push_back(w.step(Writer::numbered("d", i), Operator::subtract, x[i], mean));
  }
  write_normalized(w, d);
}

struct Algorithm {
  std::string_view operation;
  void (*write)(Writer&);
};
constexpr Algorithm algorithms[] = {
    {"sum", write_sum},
    {"cumsum", write_cumsum},
    {"asum", write_asum},
    {"nrm2", write_nrm2},
    {"dot", write_dot},
    {"axpy", write_axpy},
    {"gemm", write_gemm},
    {"gemv", write_gemm},
    {"gemv_n", write_gemm},
    {"matmul", write_matmul},
    {"matmul_epilogue", write_matmul_epilogue},
    {"softmax", write_softmax},
    {"log_softmax", write_log_softmax},
    {"rms_norm", write_rms_norm},
    {"layer_norm", write_layer_norm},
};

void (*algorithm_of(const std::string& operation))(Writer&) {
  const auto* const found = std::ranges::find(algorithms, operation, &Algorithm::operation);
  return found == std::end(algorithms) ? nullptr : found->write;
}

}  // namespace

bool has_steps(const std::string& operation) {
  return algorithm_of(operation) != nullptr || function_named(operation) != nullptr;
}

std::optional<Tape> steps_of(const std::string& operation, const oracle::Format& of, const Record& record,
                             std::size_t entry) {
  try {
    Writer writer(of, record, entry);
    if (auto* const write = algorithm_of(operation)) {
      write(writer);
    } else if (function_named(operation) != nullptr) {
      writer.function("r", operation.c_str(), writer.at("a", entry));
    } else {
      return std::nullopt;
    }
    return writer.take();
  } catch (const NoSteps&) {
    return std::nullopt;
  }
}

}  // namespace assay::explain
