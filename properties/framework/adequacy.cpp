#include "properties/framework/adequacy.hpp"

#include <algorithm>

namespace assay {

namespace {

/// How many of the first cases of a class are compared before a generator is called constant.
constexpr std::uint64_t distinct_sample = 16;

/// Whether the first cases of class `c` are all equal. A class may be a list of a few fixed cases.
bool draws_one_case(const PropertyModel& property, std::size_t c, std::uint64_t planned, std::uint64_t seed) {
  const std::uint64_t sample = std::min(planned, distinct_sample);
  std::optional<Record> first;
  std::uint64_t seen = 0;
  for (std::uint64_t number = 0; seen < sample; ++number) {
    if (property.class_of(number) != c) {
      continue;
    }
    ++seen;
    const std::optional<Record> drawn = property.make(seed, number);
    if (!first) {
      first = drawn;
    } else if (drawn != first) {
      return false;
    }
  }
  return sample == distinct_sample;
}

/// Whether a class is of a shape that a user gave with a length of 0, such as "full range; n=0": it has one case.
bool is_of_no_numbers(const std::string& class_name) {
  const std::size_t at = class_name.rfind("; ");
  return at != std::string::npos && (class_name.ends_with("=0") || class_name.find("=0,", at) != std::string::npos);
}

}  // namespace

std::vector<std::string> inadequacies(const PropertyModel& property, const Tally& tally, std::uint64_t seed) {
  const PropertyInfo& info = property.info();
  const bool sampled = info.enumeration_size == 0;
  std::vector<std::string> found;
  const auto say = [&](const std::string& what) { found.push_back(info.name + ": " + what); };
  Tally::ByClass total;
  for (std::size_t c = 0; c < tally.classes.size(); ++c) {
    const Tally::ByClass& by_class = tally.classes[c];
    const std::string name = "class '" + info.classes[c].name + "'";
    total.planned += by_class.planned;
    total.executed += by_class.executed;
    total.rejected += by_class.rejected;
    total.inexact += by_class.inexact;
    if (by_class.planned != by_class.executed + by_class.rejected) {
      say(name + ": planned " + std::to_string(by_class.planned) + ", executed " + std::to_string(by_class.executed) +
          ", rejected " + std::to_string(by_class.rejected));
    }
    if (by_class.planned != 0 && by_class.executed == 0) {
      say(name + ": no case ran");
    }
    if (sampled && !is_of_no_numbers(info.classes[c].name) && draws_one_case(property, c, by_class.planned, seed)) {
      say(name + ": the generator draws one case only");
    }
  }
  if (sampled && total.rejected > 9 * total.executed) {
    say("more than nine cases of ten were rejected");
  }
  const auto some_of = [](const std::vector<std::string>& pairs, const char* what) {
    return std::to_string(pairs.size()) + (pairs.size() == 1 ? " pair" : " pairs") + " of values of two traits " +
           what + ", such as " + pairs.front();
  };
  const TraitPairs& pairs = property.trait_pairs();
  const bool all_rows =
      !info.traits.empty() && sampled && tally.classes.back().executed >= property.trait_rows().size();
  if (const auto missing = pairs.missing(tally.pairs); all_rows && !missing.empty()) {
    say(some_of(missing, "in no case"));
  }
  if (const auto drawn = pairs.contradicting(tally.pairs); !drawn.empty()) {
    say(some_of(drawn, "drawn though stated as impossible"));
  }
  if (total.executed >= 1000 && total.inexact == 0) {
    say("not one of " + std::to_string(total.executed) + " cases was inexact");
  }
  for (std::size_t c = 0; c < tally.claims.size(); ++c) {
    const ClaimTally& claim = tally.claims[c];
    const std::size_t own = info.claims.size() - static_cast<std::size_t>(Unasked::count);
    const bool by_sample = c == own + static_cast<std::size_t>(Unasked::batch);
    if (total.executed != 0 && claim.executed == 0 && !by_sample && total.planned >= mixture_round(info)) {
      say("claim '" + info.claims[c].id + "' judged no case");
    }
    if (claim.executed + claim.rejected != total.executed) {
      say("claim '" + info.claims[c].id + "' judged " + std::to_string(claim.executed) + " and rejected " +
          std::to_string(claim.rejected) + " of " + std::to_string(total.executed) + " cases");
    }
  }
  return found;
}

}  // namespace assay
