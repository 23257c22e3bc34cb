#pragma once
// The answer about a conversion with random words, as text and as a document.

#include <string>

#include "assay/conversions/stochastic.hpp"
#include "assay/store/json.hpp"

namespace assay::conversions {

/// The answer in lines: the rule, the rules that agree, the largest bias of each, and for each other rule the smallest
/// input and word for which its result differs. If the conversion draws its own words, also the tests and their errors.
std::string text_of(const StochasticQuestion& question, const StochasticAnswer& answer);

/// The same as a document.
store::Json document_of(const StochasticQuestion& question, const StochasticAnswer& answer);

/// What the frequencies and the agreement of neighbors say about a function that draws its words: the draws that they
/// refuse, and the probabilities of both kinds of error.
std::string text_of(const StochasticQuestion& question, const Drawn& drawn);
/// That two words are not independent. Requires: drawn.dependent (not checked).
std::string dependence_text(const Drawn& drawn);
store::Json json_of(const StochasticQuestion& question, const Drawn& drawn);

/// "-1/2^9".
std::string fraction_text(const oracle::Fraction& of);
/// `words` of 2^bits as a fraction.
std::string probability_text(std::uint64_t words, int bits);

}  // namespace assay::conversions
