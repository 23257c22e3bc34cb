#pragma once

#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "properties/framework/axes.hpp"
#include "properties/framework/covering.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/shared_function.hpp"

namespace assay {

/// A named class of inputs with its generator. In every (Σ weights) consecutive cases, `weight` come from this class.
template <class Case>
struct InputClass {
  std::string name;
  unsigned weight;
  CaseGenerator<Case> generator;
  bool constructed = false;  ///< ClassInfo::constructed
  bool is_late = false;      ///< ClassInfo::is_late
};

/// The classes of one list, then those of another.
template <class Case>
std::vector<InputClass<Case>> joined(std::vector<InputClass<Case>> classes, std::vector<InputClass<Case>> more) {
  classes.insert(classes.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
  return classes;
}

/// A number of a case against which errors are plotted, in fixed bins over [low, high] (values outside fall into the
/// first or last bin).
template <class Case>
struct Feature {
  std::string name;
  double low;
  double high;
  int bins;
  SharedFunction<double(const Case&)> of;
};

/// All inputs of a finite domain, numbered. `at(i, out)` writes case i and returns whether it lies in the domain; a
/// case outside counts as rejected.
template <class Case>
struct Enumeration {
  std::uint64_t size = 0;
  SharedFunction<bool(std::uint64_t, Case&)> at;
};

/// The source of cases, and their set: a mixture of named classes, or an enumeration of all inputs. Generators only
/// construct valid cases; `contains` checks the steps of shrinking and the cases of files.
template <class Case>
struct Domain {
  std::vector<InputClass<Case>> classes;
  SharedFunction<bool(const Case&)> contains;
  std::vector<Feature<Case>> features = {};
  Enumeration<Case> enumeration = {};
  /// Which lists of a case are rows, columns and terms, so that shrinking removes and merges entries that belong
  /// together. Without it, lists of one length are parallel.
  SharedFunction<Axes(const Case&)> axes = {};
  /// Smaller cases beyond those that the axes give, the largest steps first; tried before all others.
  SharedFunction<std::vector<Case>(const Case&)> shrink_shape = {};
  /// A description of the cases that `contains` accepts, for `assay list` and error messages.
  std::string accepts = {};
  /// The traits whose values are combined in pairs. A property over such a domain has one more class of inputs, "pairs
  /// of traits", and in the quick tier as many more cases as all pairs take.
  std::shared_ptr<const Traits<Case>> traits = {};
};

}  // namespace assay
