#include "tests/mutants/rows.hpp"

#include <algorithm>
#include <memory>

#include "assay/campaign/shrink.hpp"
#include "oracle/decimal.hpp"

namespace assay::mutants {

namespace {

constexpr std::uint64_t shrink_steps = 10000;

std::string printed(const Record& record) {
  std::string text;
  for (const FieldValue& field : record.fields) {
    text += (text.empty() ? "" : ", ") + field.name + " = ";
    if (const auto* integer = std::get_if<std::int64_t>(&field.value)) {
      text += std::to_string(*integer);
      continue;
    }
    const auto& words = std::get<Words>(field.value);
    const bool several = words.shape != Words::Shape::scalar;
    text += several ? "(" : "";
    for (std::size_t i = 0; i < words.bits.size(); ++i) {
      text += (i == 0 ? "" : ", ") + oracle::to_hex(words.format, words.bits[i]);
    }
    text += several ? ")" : "";
  }
  return text;
}

/// The first claim that is violated within the given number of cases, or otherwise within the quick tier.
struct Broken {
  std::size_t claim = 0;
  std::uint64_t number = no_case;  ///< the first case that violates it; no_case: every claim holds
  explicit operator bool() const { return number != no_case; }
};
constexpr std::uint64_t enough_for_most = 256;

Broken broken_by(const PropertyModel& property, const Executor& on, CaseRange cases) {
  const Tally tally = property.run(on, 1, cases, {});
  for (std::size_t claim = 0; claim < tally.claims.size(); ++claim) {
    if (tally.claims[claim].first_violated != no_case) return {claim, tally.claims[claim].first_violated};
  }
  return {};
}
Broken broken_by(const PropertyModel& property, const Executor& on) {
  const std::uint64_t all = property.info().quick_cases;
  const std::uint64_t some = std::min(enough_for_most, all);
  const Broken broken = broken_by(property, on, {0, 1, some});
  return broken || some == all ? broken : broken_by(property, on, {some, 1, all - some});
}

std::string name_of(const PropertyModel& property, const Broken& broken) {
  return property.info().name + "/" + property.info().claims[broken.claim].id;
}

/// The row of a mistake that nothing has caught yet, or that violates `broken`.
Row row_of(const Planted& planted, const PropertyModel& property, const Broken& broken) {
  Row row;
  row.id = planted.id;
  row.what = planted.what;
  if (broken) {
    row.caught_by = name_of(property, broken);
    row.cases_to_kill = broken.number + 1;
  }
  return row;
}

}  // namespace

Row kernel_row(const Planted& planted, const PropertyModel& wrong) {
  const Broken broken = broken_by(wrong, Executor::host());
  Row row = row_of(planted, wrong, broken);
  row.caught = static_cast<bool>(broken);
  if (!broken || !shrinks) return row;
  const std::unique_ptr<process::Asker> asker = process::ask_in_process(wrong, "host", 1);
  const Record failing = *wrong.make(1, broken.number);
  const auto failure = campaign::failure_of(wrong.judge(Executor::host(), std::vector{failing})[0], broken.claim);
  const campaign::Shrunk shrunk = campaign::shrink_case(wrong, *asker, failing, failure.value(), shrink_steps);
  row.reproducer = printed(shrunk.record);
  row.significant_bits = complexity(shrunk.record).significant_bits;
  row.caught = row.significant_bits <= planted.most_bits;
  return row;
}

const std::string& RightKernel::broken() const {
  if (!broken_) {
    const Broken broken = broken_by(*promise_, Executor::host());
    broken_ = broken ? name_of(*promise_, broken) : "";
  }
  return *broken_;
}

namespace {

Row unless_broken(Row row, const std::string& broken) {
  if (!broken.empty()) {
    row.caught = false;
    row.caught_by = "the right kernel breaks " + broken + ", too";
  }
  return row;
}

}  // namespace

Row kernel_row(const Planted& planted, const PropertyModel& wrong, const PropertyModel& right) {
  const Broken broken = broken_by(right, Executor::host());
  return unless_broken(kernel_row(planted, wrong), broken ? name_of(right, broken) : "");
}

Row kernel_row(const Planted& planted, const PropertyModel& wrong, const RightKernel& right) {
  return unless_broken(kernel_row(planted, wrong), right.broken());
}

Row device_row(const Planted& planted, const PropertyModel& wrong, const PropertyModel& right) {
  const Broken broken = broken_by(wrong, Executor::cuda());
  Row row = row_of(planted, wrong, broken);
  row.caught = broken && !broken_by(right, Executor::cuda());
  return row;
}

}  // namespace assay::mutants
