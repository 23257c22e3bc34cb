#pragma once

#include <string>
#include <vector>

#include "properties/framework/model.hpp"

namespace assay {

/// The reasons why a passing run of a property proves little, one sentence each; empty if there are none: planned ≠
/// executed + rejected in a class; a class none of whose cases ran; a claim that lost cases or, from one round of the
/// mixture on, judged nothing; nine cases of ten rejected (sampled properties) `seed`: the seed of the run.
std::vector<std::string> inadequacies(const PropertyModel& property, const Tally& tally, std::uint64_t seed);

}  // namespace assay
