#pragma once
// What `assay probe-order --json` prints.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/store/json.hpp"

namespace assay::store {

struct ProbedOrder {
  /// A term of an input. Numbers are hexadecimal.
  struct Term {
    std::string x = {};
    std::string y = {};
  };
  /// An input whose result is not the tree's, or not the same twice.
  struct Example {
    std::vector<Term> terms = {};
    std::string got = {};
    std::string other = {};
  };
  struct Bound {
    std::string theorem = {};
    std::string statement = {};
    std::uint64_t roundings = 0;
    double factor = 0;
    double any_order = 0;
  };
  /// The tree beside another one.
  struct Compared {
    std::uint64_t common = 0;
    std::uint64_t only_here = 0;
    std::uint64_t only_there = 0;
    std::string example = {};
  };
  std::string operation = {};
  std::string subject = {};
  std::string format = {};
  std::uint64_t terms = 0;
  std::uint64_t seed = 1;
  std::string verdict = {};
  std::string order = {};
  std::string why = {};
  std::string family = {};
  std::optional<std::vector<std::uint64_t>> parents = {};
  std::optional<std::uint64_t> height = {};
  std::optional<std::uint64_t> width = {};
  bool sampled = false;
  std::uint64_t pairs = 0;
  std::uint64_t questions = 0;
  std::string arithmetic = {};
  std::uint64_t predicted = 0;
  std::uint64_t checked = 0;
  std::optional<Example> example = {};
  std::optional<Bound> bound = {};
  std::optional<Compared> compared = {};
};

Json probed_order_document(const ProbedOrder& order);
/// Errors: JsonError where the text is none of these documents.
ProbedOrder probed_order_of_text(const std::string& text);
/// Errors: DamagedFile where the file is none of these documents.
ProbedOrder read_probed_order(const std::string& path);

}  // namespace assay::store
