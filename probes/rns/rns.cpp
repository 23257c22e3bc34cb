#include "probes/rns/rns.hpp"

#include "probes/judge.hpp"

namespace assay::probes {

using assay::rns::FiveOf30Bits;
using assay::rns::SevenOfAnyLength;
using assay::rns::Standard;
using assay::rns::ThreeOf16Bits;
using rns::Evaluation;
using rns::Form;

template struct JudgesCells<Evaluation<Standard<8>, Form::general>>;
template struct JudgesCells<Evaluation<Standard<8>, Form::mixed_radix>>;
template struct JudgesCells<Evaluation<Standard<8>, Form::fast>>;
template struct JudgesCells<Evaluation<ThreeOf16Bits, Form::general>>;
template struct JudgesCells<Evaluation<ThreeOf16Bits, Form::mixed_radix>>;
template struct JudgesCells<Evaluation<ThreeOf16Bits, Form::fast>>;
template struct JudgesCells<Evaluation<FiveOf30Bits, Form::general>>;
template struct JudgesCells<Evaluation<FiveOf30Bits, Form::mixed_radix>>;
template struct JudgesCells<Evaluation<FiveOf30Bits, Form::fast>>;
template struct JudgesCells<Evaluation<SevenOfAnyLength, Form::general>>;
template struct JudgesCells<Evaluation<SevenOfAnyLength, Form::mixed_radix>>;
template struct JudgesCells<Evaluation<SevenOfAnyLength, Form::fast>>;

}  // namespace assay::probes
