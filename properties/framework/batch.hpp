#pragma once
// A batch of cases with the types erased, and the model of a property that draws, runs and judges such batches. So this
// code is compiled once, in batch.cpp, instead of once for each property.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "errorbounds/judgement.hpp"
#include "exec/executor.hpp"
#include "properties/framework/axes.hpp"
#include "properties/framework/model.hpp"
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
  /// Appends the case of a record. False: the record is not a case of the property, and nothing is appended.
  virtual bool add(const Record& record) = 0;
  virtual Record record(std::size_t i) const = 0;
  /// Whether case i lies in the domain.
  virtual bool contains(std::size_t i) const = 0;
  /// The axes that the domain states for case i; empty if it states none.
  virtual std::optional<Axes> axes(std::size_t i) const = 0;
  /// The domain's own steps from case i to smaller ones.
  virtual std::vector<Record> smaller_shapes(std::size_t i) const = 0;

  /// Runs the subject on all cases. These results are judged. Errors: what the subject throws.
  virtual void run(const Executor& on) = 0;
  /// Runs the subject on `count` cases from `first` on. These results only serve same_bits().
  virtual void run_again(const Executor& on, std::size_t first, std::size_t count) = 0;
  /// Whether result i of run() has the same bits as result j of the last run_again().
  virtual bool same_bits(std::size_t i, std::size_t j) const = 0;

  virtual Words words(std::size_t i) const = 0;
  virtual std::size_t components(std::size_t i) const = 0;
  /// Feature f of case i.
  virtual double feature(std::size_t f, std::size_t i) const = 0;
  /// Appends the values of the traits of case i. Requires: the domain has traits (not checked).
  virtual void add_trait_values(std::size_t i, TraitRow& values) const = 0;

  /// Computes the truth of case i; the functions below refer to the case whose truth was computed last.
  virtual void refer(std::size_t i) = 0;
  /// Whether an operation of the subject was inexact.
  virtual bool inexact() const = 0;
  /// Whether claim c applies to the case.
  virtual bool applies(std::size_t c) const = 0;
  virtual Judgement judge(std::size_t c) const = 0;
  /// The truth of a component in decimal.
  virtual std::string exact(std::size_t component) const = 0;
  /// The signed error of a component in ulps of its truth; empty if there is none.
  virtual std::optional<double> ulps(std::size_t component) const = 0;
  /// How many bits the words of a component have after its first word.
  virtual int further_bits() const = 0;
};

/// A model that runs and judges batches. PropertyModel documents its functions.
class BatchModel : public PropertyModel {
 public:
  /// A batch without cases, of the property's types. It keeps a reference to the model.
  virtual std::unique_ptr<Batch> make_batch() const = 0;

  Tally run(const Executor& on, std::uint64_t seed, const CaseRange& range,
            const BatchObserver& before_batch) const override;
  std::optional<Record> make(std::uint64_t seed, std::uint64_t number) const override;
  bool fits(const Record& record) const override;
  bool contains(const Record& record) const override;
  std::vector<CaseOutcome> judge(const Executor& on, std::span<const Record> cases,
                                 std::optional<std::size_t> only = std::nullopt) const override;
  std::vector<std::optional<Judgement>> judge_claim(const Executor& on, std::span<const Record> cases,
                                                    std::size_t claim) const override;
  std::vector<Words> evaluate(const Executor& on, std::span<const Record> cases) const override;
  std::size_t shrink_passes() const override;
  ShrinkPass shrink(const Record& record, std::size_t which) const override;

 protected:
  /// Adds parts of info_ here, not in the property's template, which is compiled for each type of cases.
  void add_claim(const ClaimInfo& claim);
  void add_class(const ClassInfo& info);
  void add_feature(const std::string& name, double low, double high, int bins);
  void add_trait(const TraitInfo& trait);
  void add_impossible_pairs(const std::vector<ImpossiblePairs>& pairs);

  bool has_small_cases_ = false;  ///< cases are plain values, so that batches may be large

 private:
  std::size_t batch_size(const Executor& on) const;
  /// The axes that the domain states for a record, or all axes that it may have.
  std::vector<Axes> axes(const Record& record) const;
  /// The pass of shrinking with the smaller cases that the domain itself gives.
  ShrinkPass shape_pass(const Record& record) const;
  /// The cases of the records. Errors: std::invalid_argument for a record that is not a case of the property.
  std::unique_ptr<Batch> batch_of(std::span<const Record> records) const;
  /// The cases of the records with their results.
  std::unique_ptr<Batch> computed(const Executor& on, std::span<const Record> cases) const;
  /// Runs the batch and adds the judgments of every claim about its cases, which have the given numbers.
  void tally_batch(const Executor& on, Batch& batch, const std::vector<std::uint64_t>& numbers, Tally& tally) const;
};

}  // namespace assay
