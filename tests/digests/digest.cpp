#include "tests/digests/digest.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

#include "properties/framework/fnv.hpp"

namespace assay {
namespace {

constexpr std::uint64_t seed = 1;

/// Cases 0 … count − 1 of a mixture. All accepted cases of an enumeration if its size is at most `count`, otherwise up
/// to `count` of them.
std::vector<Record> draw(const PropertyModel& property, std::uint64_t count) {
  // Multiples of an odd number near 2⁶⁴·(√5 − 1)/2 modulo the size differ early in their high and in their low bits.
  constexpr std::uint64_t step = 0x9e3779b97f4a7c15;
  constexpr std::uint64_t attempts_per_case = 64;  // some enumerations reject most of their numbers
  const std::uint64_t size = property.info().enumeration_size;
  const bool spread = size > count;
  const std::uint64_t attempts = size == 0 ? count : spread ? attempts_per_case * count : size;
  std::vector<Record> cases;
  for (std::uint64_t k = 0; k < attempts && cases.size() < count; ++k) {
    std::optional<Record> drawn = property.make(seed, spread ? k * step % size : k);
    if (drawn) cases.push_back(std::move(*drawn));
  }
  return cases;
}

/// How many cases a property has: whole rounds of its mixture.
std::uint64_t cases_of(const PropertyInfo& info) {
  constexpr std::uint64_t at_least = 256;
  const std::uint64_t round = mixture_round(info);
  return (at_least + round - 1) / round * round;
}

}  // namespace

void Digest::add(std::uint64_t word) {
  for (int i = 0; i < 8; ++i) bytes_ += static_cast<char>(static_cast<unsigned char>(word >> (8 * i)));
}

void Digest::add(const Words& words) {
  bytes_ += oracle::name(words.format);
  add_all<std::uint64_t>(words.bits);
}

void Digest::add(const Record& record) {
  for (const FieldValue& field : record.fields) {
    if (const auto* words = std::get_if<Words>(&field.value)) {
      add(*words);
    } else {
      add(static_cast<std::uint64_t>(std::get<std::int64_t>(field.value)));
    }
  }
}

std::uint64_t Digest::value() const { return fnv1a(bytes_); }

DigestSubject digest_subject(const PropertyModel& property) {
  const PropertyInfo& info = property.info();
  const auto run = [&property](const Executor& on, std::uint64_t count) {
    const std::vector<Record> cases = draw(property, count);
    if (cases.empty()) throw std::runtime_error("no case was drawn");
    Digest inputs;
    Digest outputs;
    for (const Record& each : cases) inputs.add(each);
    for (const Words& each : property.evaluate(on, cases)) outputs.add(with_one_nan(each));
    return Digests{inputs.value(), outputs.value()};
  };
  return {info.name, info.runs_on("host"), info.runs_on("cuda"), cases_of(info), run};
}

}  // namespace assay
