#include "kernels/eft/error_free.hpp"

#include "exec/launch.hpp"

namespace assay {

template std::vector<Sum<double>> elementwise(const Executor&, std::span<const Pair<double>>, const TwoSum<double>&);
template std::vector<Sum<double>> elementwise(const Executor&, std::span<const Pair<double>>,
                                              const FastTwoSum<double>&);
template std::vector<Product<double>> elementwise(const Executor&, std::span<const Pair<double>>,
                                                  const TwoProd<double>&);
template std::vector<Split<double>> elementwise(const Executor&, std::span<const Single<double>>,
                                                const VeltkampSplit<double>&);
template std::vector<Product<double>> elementwise(const Executor&, std::span<const Pair<double>>,
                                                  const DekkerProd<double>&);
template std::vector<Split<double>> elementwise(const Executor&, std::span<const Single<double>>,
                                                const MaskSplit<double>&);
template std::vector<Product<double>> elementwise(const Executor&, std::span<const Pair<double>>,
                                                  const MaskedProd<double>&);
template std::vector<FmaError<double>> elementwise(const Executor&, std::span<const Triple<double>>,
                                                   const ErrFma<double>&);

template std::vector<Sum<float>> elementwise(const Executor&, std::span<const Pair<float>>, const TwoSum<float>&);
template std::vector<Sum<float>> elementwise(const Executor&, std::span<const Pair<float>>, const FastTwoSum<float>&);
template std::vector<Product<float>> elementwise(const Executor&, std::span<const Pair<float>>, const TwoProd<float>&);
template std::vector<Split<float>> elementwise(const Executor&, std::span<const Single<float>>,
                                               const VeltkampSplit<float>&);
template std::vector<Product<float>> elementwise(const Executor&, std::span<const Pair<float>>,
                                                 const DekkerProd<float>&);
template std::vector<Split<float>> elementwise(const Executor&, std::span<const Single<float>>,
                                               const MaskSplit<float>&);
template std::vector<Product<float>> elementwise(const Executor&, std::span<const Pair<float>>,
                                                 const MaskedProd<float>&);
template std::vector<FmaError<float>> elementwise(const Executor&, std::span<const Triple<float>>,
                                                  const ErrFma<float>&);

}  // namespace assay
