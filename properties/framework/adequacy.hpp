#pragma once

#include <string>
#include <vector>

#include "properties/framework/model.hpp"

namespace assay {

/// The reasons why a passing run of a property proves little, one sentence each; empty if there are none: planned ≠
/// executed + rejected in a class; a class of which nothing ran; a claim that lost cases or, from one round of the
/// mixture on, judged nothing; nine cases of ten rejected (sampled properties); a class that draws the same case again
/// and again; a possible pair of values of two traits that no case has although all rows of pairs ran; a pair that a
/// case has although it is stated as impossible; and, from 1000 cases on, no inexact operation. `seed`: the seed of the
/// run.
std::vector<std::string> inadequacies(const PropertyModel& property, const Tally& tally, std::uint64_t seed);

}  // namespace assay
