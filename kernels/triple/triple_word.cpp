#include "kernels/triple/triple_word.hpp"

#include "exec/launch.hpp"

namespace assay {

template std::vector<TripleWord<double>> elementwise(const Executor&, std::span<const Triple<double>>,
                                                     const TwFromThree<double>&);
template std::vector<TripleWord<double>> elementwise(const Executor&, std::span<const TwTw<double>>,
                                                     const TwAdd<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const TwTw<double>>, const TwCompare<double>&);
template std::vector<TripleWord<double>> elementwise(const Executor&, std::span<const TwTw<double>>,
                                                     const TwMulAccurate<double>&);
template std::vector<TripleWord<double>> elementwise(const Executor&, std::span<const TwTw<double>>,
                                                     const TwMulFast<double>&);
template std::vector<TripleWord<double>> elementwise(const Executor&, std::span<const DwTw<double>>,
                                                     const TwMulDwAccurate<double>&);
template std::vector<TripleWord<double>> elementwise(const Executor&, std::span<const DwTw<double>>,
                                                     const TwMulDwFast<double>&);
template std::vector<TripleWord<double>> elementwise(const Executor&, std::span<const DwTw<double>>,
                                                     const TwMulNearOne<double>&);
template std::vector<TripleWord<double>> elementwise(const Executor&, std::span<const DwTw<double>>,
                                                     const TwMulNearOnePrinted<double>&);
template std::vector<TripleWord<double>> elementwise(const Executor&, std::span<const Tw<double>>,
                                                     const TwReciprocalAccurate<double>&);
template std::vector<TripleWord<double>> elementwise(const Executor&, std::span<const Tw<double>>,
                                                     const TwReciprocalFast<double>&);
template std::vector<TripleWord<double>> elementwise(const Executor&, std::span<const TwTw<double>>,
                                                     const TwDivAccurate<double>&);
template std::vector<TripleWord<double>> elementwise(const Executor&, std::span<const TwTw<double>>,
                                                     const TwDivFast<double>&);
template std::vector<TripleWord<double>> elementwise(const Executor&, std::span<const Tw<double>>,
                                                     const TwSqrtAccurate<double>&);
template std::vector<TripleWord<double>> elementwise(const Executor&, std::span<const Tw<double>>,
                                                     const TwSqrtFast<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Tw<double>>, const TwRound<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Tw<double>>, const TwRoundPrinted<double>&);

template std::vector<TripleWord<float>> elementwise(const Executor&, std::span<const Triple<float>>,
                                                    const TwFromThree<float>&);
template std::vector<TripleWord<float>> elementwise(const Executor&, std::span<const TwTw<float>>, const TwAdd<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const TwTw<float>>, const TwCompare<float>&);
template std::vector<TripleWord<float>> elementwise(const Executor&, std::span<const TwTw<float>>,
                                                    const TwMulAccurate<float>&);
template std::vector<TripleWord<float>> elementwise(const Executor&, std::span<const TwTw<float>>,
                                                    const TwMulFast<float>&);
template std::vector<TripleWord<float>> elementwise(const Executor&, std::span<const DwTw<float>>,
                                                    const TwMulDwAccurate<float>&);
template std::vector<TripleWord<float>> elementwise(const Executor&, std::span<const DwTw<float>>,
                                                    const TwMulDwFast<float>&);
template std::vector<TripleWord<float>> elementwise(const Executor&, std::span<const DwTw<float>>,
                                                    const TwMulNearOne<float>&);
template std::vector<TripleWord<float>> elementwise(const Executor&, std::span<const DwTw<float>>,
                                                    const TwMulNearOnePrinted<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Tw<float>>, const TwRound<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Tw<float>>, const TwRoundPrinted<float>&);

}  // namespace assay
