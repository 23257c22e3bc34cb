#pragma once
// Moves of a search for the inputs nearest to a bound: changes that keep most of a case.

#include "arith/bits/split_mix64.hpp"
#include "properties/framework/record.hpp"

namespace assay {

/// `from` with one to a few of its numbers and integers changed, or with parts of `other` in their place. The moves
/// are: a bit flipped; some units in the last place more or less; another significand, also one next to a power of two
/// or next to a tie of a shorter format; the exponent shifted, or set in a relation to another number's exponent at
/// which roundings interact (the same, p or 2p places below, half an ulp); a sign; two numbers swapped; a field scaled
/// or negated; the fields of both records mixed; an entry of all lists of one length removed or doubled; an integer
/// changed. The result has the fields of `from`; it may lie outside any domain. Requires: both records are cases of one
/// property (not checked). Cost: linear in the numbers. A pure function of its arguments.
Record neighbour(const Record& from, const Record& other, bits::SplitMix64& random);

}  // namespace assay
