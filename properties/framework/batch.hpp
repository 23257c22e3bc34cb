#pragma once
// A batch of cases with the types erased. The runner in run.cpp draws, runs and judges through it, so that this code is
// compiled once and not once for each property.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "errorbounds/judgement.hpp"
#include "exec/executor.hpp"
#include "properties/framework/record.hpp"

namespace assay {

/// Cases of one property, the results of its subject, and the claims about them. Indices are below size() (not
/// checked).
class Batch {
 public:
  Batch() = default;
  virtual ~Batch() = default;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  virtual std::size_t size() const = 0;
  /// Removes all cases.
  virtual void clear() = 0;
  /// Appends case `number` of the seed. False: the enumeration rejects the number, and nothing is appended.
  virtual bool draw(std::uint64_t seed, std::uint64_t number) = 0;
  /// Appends the case of a record. False: the record is no case of the property, and nothing is appended.
  virtual bool add(const Record& record) = 0;
  virtual Record record(std::size_t i) const = 0;
  /// Whether case i lies in the domain.
  virtual bool contains(std::size_t i) const = 0;
  /// The domain's own candidates for a smaller case i, inside the domain and of a complexity below the limit.
  virtual std::vector<Record> smaller_shapes(std::size_t i, const Complexity& limit) const = 0;

  /// Runs the subject on all cases. The results are the ones that are judged. Errors: what the subject throws.
  virtual void run(const Executor& on) = 0;
  /// Runs the subject on `count` cases from `first` on. These results only serve same_bits().
  virtual void run_again(const Executor& on, std::size_t first, std::size_t count) = 0;
  /// Whether result i of run() has the bits of result j of the last run_again().
  virtual bool same_bits(std::size_t i, std::size_t j) const = 0;

  virtual Words words(std::size_t i) const = 0;
  virtual std::size_t components(std::size_t i) const = 0;
  /// Feature f of case i.
  virtual double feature(std::size_t f, std::size_t i) const = 0;

  /// Computes the truth of case i; the functions below speak of the case whose truth was computed last.
  virtual void refer(std::size_t i) = 0;
  /// Whether an operation of the subject was inexact.
  virtual bool inexact() const = 0;
  /// Whether claim c speaks of the case.
  virtual bool applies(std::size_t c) const = 0;
  virtual Judgement judge(std::size_t c) const = 0;
  /// The truth of a component in decimal.
  virtual std::string exact(std::size_t component) const = 0;
  /// The signed error of a component in ulps of its truth; nothing where there is none.
  virtual std::optional<double> ulps(std::size_t component) const = 0;
};

}  // namespace assay
