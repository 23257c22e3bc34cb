// Hunts for the largest error/bound of the machines that store definitions in f16 or bf16, or compute in them.
//
// worst_programs [--formulas a,b] [--formats f16,bf16] [--machines stored_p,narrow] [--programs N] [--cases N]
//                [--seed N] [--wide]
//
// A rung is a machine of a formula and format. Its figure is 0.6 for attention and 0.9 for products and activations.
// Where programs do not reach it, it is among the rungs with a reason below, and the adversary of formula.sharp.1
// reaches it. Fails if this is not so, or if a rung with a reason needs none. --programs and --cases are the most for a
// rung. --wide hunts the machines that compute in f32 and store the result alone, and fails for none.

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <sstream>

#include "properties/formulas/door/operation.hpp"
#include "tests/formulas/hunt.hpp"

namespace assay::formulas {
namespace {

struct Group {
  std::string name;
  double figure;
  std::string formulas;
};
const std::array groups{
    Group{"attention", 0.6,
          "attention,attention_alibi,attention_bias,attention_combine,attention_decode,attention_full,"
          "attention_grouped,attention_sink,attention_softcap,attention_window"},
    Group{"products", 0.9,
          "block_scaled_matmul,conv2d,dot,grouped_matmul,linear,linear_backward_weight,linear_gelu,"
          "linear_residual,linear_swiglu,lora,matmul,matmul_batched,matmul_split_k,moe_combine,moe_experts,"
          "q4_k_matmul,sparse_24_product,tile_scaled_matmul,two_level_matmul,w4a16,w4a16_book,w8a8"},
    Group{"activations", 0.9,
          "elu,geglu,gelu,gelu_erf,hardsigmoid,hardswish,leaky_relu,log_sigmoid,mish,reglu,relu,relu6,sigmoid,silu,"
          "softplus,swiglu,tanh_of,tanhshrink"}};

/// Rungs that programs do not bring to their figure, by reason.
struct Reason {
  std::string why;
  std::string rungs;
  bool is_exact = false;  ///< the bound is 0
};
const std::array reasons{
    Reason{"a program rounds a stored number of 16 bits once, the bound twice",
           "attention_sink f16 narrow,attention_sink bf16 narrow,conv2d f16 narrow,conv2d bf16 narrow,"
           "grouped_matmul f16 narrow,grouped_matmul bf16 narrow,"
           "matmul_split_k f16 narrow,matmul_split_k bf16 narrow,q4_k_matmul f16 narrow,q4_k_matmul bf16 narrow,"
           "two_level_matmul bf16 narrow,w4a16 f16 narrow,w4a16 bf16 narrow,w8a8 f16 "
           "narrow,w8a8 bf16 narrow"},
    Reason{"what is stored is the result, which is rounded once",
           "conv2d f16 stored,conv2d bf16 stored,conv2d f16 stored_y,conv2d bf16 stored_y,"
           "grouped_matmul f16 stored,"
           "grouped_matmul bf16 stored,grouped_matmul f16 stored_h,grouped_matmul bf16 stored_h"},
    Reason{"integers of 16 bits are stored, all else is computed in f32",
           "attention_alibi f16 stored_j,attention_alibi bf16 stored_j,q4_k_matmul f16 stored_six,"
           "q4_k_matmul bf16 stored_six,q4_k_matmul f16 stored_four,q4_k_matmul bf16 stored_four,"
           "w4a16 f16 stored_code,w4a16 bf16 stored_code,w8a8 f16 stored_code,w8a8 bf16 stored_code,"
           "w8a8 f16 stored_h,w8a8 bf16 stored_h,w8a8 f16 stored,w8a8 bf16 stored"},
    Reason{"the formula of attention_combine, whose figure is 0.6", "moe_combine f16 narrow,moe_combine bf16 narrow"},
    Reason{"no program moves factors into both sums and errs by all of exp(-g)",
           "linear_swiglu f16 narrow,linear_swiglu bf16 narrow"},
    Reason{"a sigmoid s has 1 - s of the error of exp(-x), and two of three roundings of its exponent",
           "sigmoid f16 narrow,sigmoid bf16 narrow,silu f16 narrow,silu bf16 narrow,tanh_of f16 narrow,"
           "tanh_of bf16 narrow"},
    Reason{"a constant is granted an error of u, 1/6 has u/2",
           "hardsigmoid f16 narrow,hardsigmoid bf16 narrow,hardswish f16 narrow,hardswish bf16 narrow"},
    Reason{"300 000 programs reach it", "geglu bf16 narrow,linear_gelu bf16 narrow,w4a16_book bf16 narrow"},
    Reason{"at none of the 65 536 numbers all errors are near their largest ones",
           "elu bf16 narrow,gelu f16 stored_u,gelu f16 stored_t,gelu f16 "
           "stored,gelu f16 narrow,gelu bf16 stored_u,"
           "gelu bf16 stored_t,gelu bf16 stored,gelu bf16 narrow,gelu_erf f16 narrow,gelu_erf bf16 narrow,"
           "hardswish bf16 stored_h,hardswish bf16 stored,log_sigmoid bf16 narrow,mish f16 stored,mish f16 narrow,"
           "mish bf16 stored_t,mish bf16 stored,mish bf16 narrow,softplus bf16 narrow"},
    Reason{"a selection, which is exact", "relu f16 narrow,relu bf16 narrow,relu6 f16 narrow,relu6 bf16 narrow", true}};

struct Options {
  std::string formulas = {};
  std::string formats = "f16,bf16";
  std::string machines = {};
  std::size_t programs = 60000;
  std::size_t cases = 20000;
  std::uint64_t seed = 1;
  bool is_wide = false;
};

struct Counts {
  std::size_t rungs = 0;
  std::size_t by_programs = 0;
  std::size_t by_adversary = 0;  ///< of the others
};

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

bool has(const std::string& text, const std::string& part) { return std::ranges::count(parts_of(text), part) > 0; }

const Reason* reason_of(const std::string& rung) {
  const auto at = std::ranges::find_if(reasons, [&](const Reason& each) { return has(each.rungs, rung); });
  return at == reasons.end() ? nullptr : &*at;
}

/// Prints a line for a rung. Whether it is as it should be.
bool hunt(const std::string& rung, const Typed& typed, const Machine& machine, double figure, const Options& options,
          Counts& counts) {
  Hunt hunt(typed, machine, options.seed);
  // Fewer of a formula with many nodes, so that a minute is enough.
  std::size_t nodes = typed.formula->nodes.size();
  for (const auto& [name, way] : typed.formula->ways) nodes += way.nodes.size();
  nodes = std::max<std::size_t>(40, nodes);
  const std::size_t programs = options.programs * 1600 / (nodes * nodes);
  const double of_programs = hunt.by_programs(figure, programs).tightness;
  const Reason* const reason = reason_of(rung);
  const bool is_reached = of_programs >= figure;
  ++counts.rungs;
  counts.by_programs += is_reached ? 1 : 0;
  std::cout << rung << ": " << of_programs;
  bool is_right = options.is_wide || is_reached == (reason == nullptr);
  if (!is_reached) {
    const double of_adversary = hunt.by_adversary(figure, options.cases);
    std::cout << ", adversary " << of_adversary;
    const bool is_granted = of_adversary >= figure;
    counts.by_adversary += is_granted ? 1 : 0;
    is_right = is_right && (options.is_wide || is_granted || reason->is_exact);
  }
  if (reason != nullptr) std::cout << "; " << reason->why;
  std::cout << (is_right ? "" : is_reached ? "  NEEDS NO REASON" : "  BELOW") << std::endl;
  return is_right;
}

int run(const Options& options) {
  bool are_right = true;
  for (const Group& group : groups) {
    Counts counts;
    for (const std::string& formula : parts_of(group.formulas)) {
      if (!options.formulas.empty() && !has(options.formulas, formula)) continue;
      for (const std::string& format : parts_of(options.formats)) {
        const Typed typed_formula = typed(std::make_shared<const Formula>(formula_named(formula)), format);
        for (const Machine& machine : ladder(*typed_formula.formula, typed_formula.parameters.front())) {
          if (options.is_wide == machine.store.has_value()) continue;
          if (!options.machines.empty() && !has(options.machines, machine.name)) continue;
          const std::string rung = formula + " " + format + " " + machine.name;
          are_right = hunt(rung, typed_formula, machine, group.figure, options, counts) && are_right;
        }
      }
    }
    if (counts.rungs == 0) continue;
    std::cout << group.name << ": " << counts.rungs << " rungs, " << counts.by_programs << " reach " << group.figure
              << " by programs, " << counts.by_adversary << " of the others by the adversary" << std::endl;
  }
  return are_right ? 0 : 1;
}

/// None for other arguments.
std::optional<Options> options_of(int count, char** arguments) {
  Options options;
  for (int a = 1; a < count; ++a) {
    const std::string name = arguments[a];
    if (name == "--wide") {
      options.is_wide = true;
      continue;
    }
    if (a + 1 == count) return std::nullopt;
    const std::string value = arguments[++a];
    if (name == "--formulas") {
      options.formulas = value;
    } else if (name == "--formats") {
      options.formats = value;
    } else if (name == "--machines") {
      options.machines = value;
    } else if (value.find_first_not_of("0123456789") != std::string::npos || value.size() > 9) {
      return std::nullopt;
    } else if (name == "--programs") {
      options.programs = std::stoul(value);
    } else if (name == "--cases") {
      options.cases = std::stoul(value);
    } else if (name == "--seed") {
      options.seed = std::stoul(value);
    } else {
      return std::nullopt;
    }
  }
  return options;
}

}  // namespace
}  // namespace assay::formulas

int main(int count, char** arguments) {
  const auto options = assay::formulas::options_of(count, arguments);
  if (!options) {
    std::cerr << "worst_programs: accepted are --formulas a,b, --formats f16,bf16, --machines a,b, --programs N, "
                 "--cases N, --seed N and --wide\n";
    return 2;
  }
  try {
    return assay::formulas::run(*options);
  } catch (const assay::formulas::FormulaError& error) {
    std::cerr << "worst_programs: " << error.what() << "\n";
    return 2;
  }
}
