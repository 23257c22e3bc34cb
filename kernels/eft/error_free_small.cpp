#include "kernels/eft/error_free.hpp"

#include "arith/float/small_float.hpp"
#include "exec/launch.hpp"

namespace assay {

template std::vector<Sum<binary16>> elementwise(const Executor&, std::span<const Pair<binary16>>,
                                                const TwoSum<binary16>&);
template std::vector<Sum<binary16>> elementwise(const Executor&, std::span<const Pair<binary16>>,
                                                const FastTwoSum<binary16>&);
template std::vector<Product<binary16>> elementwise(const Executor&, std::span<const Pair<binary16>>,
                                                    const TwoProd<binary16>&);
template std::vector<Split<binary16>> elementwise(const Executor&, std::span<const Single<binary16>>,
                                                  const VeltkampSplit<binary16>&);
template std::vector<Product<binary16>> elementwise(const Executor&, std::span<const Pair<binary16>>,
                                                    const DekkerProd<binary16>&);
template std::vector<Split<binary16>> elementwise(const Executor&, std::span<const Single<binary16>>,
                                                  const MaskSplit<binary16>&);
template std::vector<Product<binary16>> elementwise(const Executor&, std::span<const Pair<binary16>>,
                                                    const MaskedProd<binary16>&);
template std::vector<FmaError<binary16>> elementwise(const Executor&, std::span<const Triple<binary16>>,
                                                     const ErrFma<binary16>&);

template std::vector<Sum<Toy<3>>> elementwise(const Executor&, std::span<const Pair<Toy<3>>>, const TwoSum<Toy<3>>&);
template std::vector<Sum<Toy<3>>> elementwise(const Executor&, std::span<const Pair<Toy<3>>>,
                                              const FastTwoSum<Toy<3>>&);
template std::vector<Product<Toy<3>>> elementwise(const Executor&, std::span<const Pair<Toy<3>>>,
                                                  const TwoProd<Toy<3>>&);
template std::vector<Split<Toy<3>>> elementwise(const Executor&, std::span<const Single<Toy<3>>>,
                                                const VeltkampSplit<Toy<3>>&);
template std::vector<Product<Toy<3>>> elementwise(const Executor&, std::span<const Pair<Toy<3>>>,
                                                  const DekkerProd<Toy<3>>&);
template std::vector<Split<Toy<3>>> elementwise(const Executor&, std::span<const Single<Toy<3>>>,
                                                const MaskSplit<Toy<3>>&);
template std::vector<Product<Toy<3>>> elementwise(const Executor&, std::span<const Pair<Toy<3>>>,
                                                  const MaskedProd<Toy<3>>&);
template std::vector<FmaError<Toy<3>>> elementwise(const Executor&, std::span<const Triple<Toy<3>>>,
                                                   const ErrFma<Toy<3>>&);

template std::vector<Sum<Toy<4>>> elementwise(const Executor&, std::span<const Pair<Toy<4>>>, const TwoSum<Toy<4>>&);
template std::vector<Sum<Toy<4>>> elementwise(const Executor&, std::span<const Pair<Toy<4>>>,
                                              const FastTwoSum<Toy<4>>&);
template std::vector<Product<Toy<4>>> elementwise(const Executor&, std::span<const Pair<Toy<4>>>,
                                                  const TwoProd<Toy<4>>&);
template std::vector<Split<Toy<4>>> elementwise(const Executor&, std::span<const Single<Toy<4>>>,
                                                const VeltkampSplit<Toy<4>>&);
template std::vector<Product<Toy<4>>> elementwise(const Executor&, std::span<const Pair<Toy<4>>>,
                                                  const DekkerProd<Toy<4>>&);
template std::vector<Split<Toy<4>>> elementwise(const Executor&, std::span<const Single<Toy<4>>>,
                                                const MaskSplit<Toy<4>>&);
template std::vector<Product<Toy<4>>> elementwise(const Executor&, std::span<const Pair<Toy<4>>>,
                                                  const MaskedProd<Toy<4>>&);
template std::vector<FmaError<Toy<4>>> elementwise(const Executor&, std::span<const Triple<Toy<4>>>,
                                                   const ErrFma<Toy<4>>&);

template std::vector<Sum<Toy<5>>> elementwise(const Executor&, std::span<const Pair<Toy<5>>>, const TwoSum<Toy<5>>&);
template std::vector<Sum<Toy<5>>> elementwise(const Executor&, std::span<const Pair<Toy<5>>>,
                                              const FastTwoSum<Toy<5>>&);
template std::vector<Product<Toy<5>>> elementwise(const Executor&, std::span<const Pair<Toy<5>>>,
                                                  const TwoProd<Toy<5>>&);
template std::vector<Split<Toy<5>>> elementwise(const Executor&, std::span<const Single<Toy<5>>>,
                                                const VeltkampSplit<Toy<5>>&);
template std::vector<Product<Toy<5>>> elementwise(const Executor&, std::span<const Pair<Toy<5>>>,
                                                  const DekkerProd<Toy<5>>&);
template std::vector<Split<Toy<5>>> elementwise(const Executor&, std::span<const Single<Toy<5>>>,
                                                const MaskSplit<Toy<5>>&);
template std::vector<Product<Toy<5>>> elementwise(const Executor&, std::span<const Pair<Toy<5>>>,
                                                  const MaskedProd<Toy<5>>&);
template std::vector<FmaError<Toy<5>>> elementwise(const Executor&, std::span<const Triple<Toy<5>>>,
                                                   const ErrFma<Toy<5>>&);

template std::vector<Sum<Toy<6>>> elementwise(const Executor&, std::span<const Pair<Toy<6>>>, const TwoSum<Toy<6>>&);
template std::vector<Sum<Toy<6>>> elementwise(const Executor&, std::span<const Pair<Toy<6>>>,
                                              const FastTwoSum<Toy<6>>&);
template std::vector<Product<Toy<6>>> elementwise(const Executor&, std::span<const Pair<Toy<6>>>,
                                                  const TwoProd<Toy<6>>&);
template std::vector<Split<Toy<6>>> elementwise(const Executor&, std::span<const Single<Toy<6>>>,
                                                const VeltkampSplit<Toy<6>>&);
template std::vector<Product<Toy<6>>> elementwise(const Executor&, std::span<const Pair<Toy<6>>>,
                                                  const DekkerProd<Toy<6>>&);
template std::vector<Split<Toy<6>>> elementwise(const Executor&, std::span<const Single<Toy<6>>>,
                                                const MaskSplit<Toy<6>>&);
template std::vector<Product<Toy<6>>> elementwise(const Executor&, std::span<const Pair<Toy<6>>>,
                                                  const MaskedProd<Toy<6>>&);
template std::vector<FmaError<Toy<6>>> elementwise(const Executor&, std::span<const Triple<Toy<6>>>,
                                                   const ErrFma<Toy<6>>&);

template std::vector<Sum<Toy<7>>> elementwise(const Executor&, std::span<const Pair<Toy<7>>>, const TwoSum<Toy<7>>&);
template std::vector<Sum<Toy<7>>> elementwise(const Executor&, std::span<const Pair<Toy<7>>>,
                                              const FastTwoSum<Toy<7>>&);
template std::vector<Product<Toy<7>>> elementwise(const Executor&, std::span<const Pair<Toy<7>>>,
                                                  const TwoProd<Toy<7>>&);
template std::vector<Split<Toy<7>>> elementwise(const Executor&, std::span<const Single<Toy<7>>>,
                                                const VeltkampSplit<Toy<7>>&);
template std::vector<Product<Toy<7>>> elementwise(const Executor&, std::span<const Pair<Toy<7>>>,
                                                  const DekkerProd<Toy<7>>&);
template std::vector<Split<Toy<7>>> elementwise(const Executor&, std::span<const Single<Toy<7>>>,
                                                const MaskSplit<Toy<7>>&);
template std::vector<Product<Toy<7>>> elementwise(const Executor&, std::span<const Pair<Toy<7>>>,
                                                  const MaskedProd<Toy<7>>&);
template std::vector<FmaError<Toy<7>>> elementwise(const Executor&, std::span<const Triple<Toy<7>>>,
                                                   const ErrFma<Toy<7>>&);

template std::vector<Sum<Toy<8>>> elementwise(const Executor&, std::span<const Pair<Toy<8>>>, const TwoSum<Toy<8>>&);
template std::vector<Sum<Toy<8>>> elementwise(const Executor&, std::span<const Pair<Toy<8>>>,
                                              const FastTwoSum<Toy<8>>&);
template std::vector<Product<Toy<8>>> elementwise(const Executor&, std::span<const Pair<Toy<8>>>,
                                                  const TwoProd<Toy<8>>&);
template std::vector<Split<Toy<8>>> elementwise(const Executor&, std::span<const Single<Toy<8>>>,
                                                const VeltkampSplit<Toy<8>>&);
template std::vector<Product<Toy<8>>> elementwise(const Executor&, std::span<const Pair<Toy<8>>>,
                                                  const DekkerProd<Toy<8>>&);
template std::vector<Split<Toy<8>>> elementwise(const Executor&, std::span<const Single<Toy<8>>>,
                                                const MaskSplit<Toy<8>>&);
template std::vector<Product<Toy<8>>> elementwise(const Executor&, std::span<const Pair<Toy<8>>>,
                                                  const MaskedProd<Toy<8>>&);
template std::vector<FmaError<Toy<8>>> elementwise(const Executor&, std::span<const Triple<Toy<8>>>,
                                                   const ErrFma<Toy<8>>&);

}  // namespace assay
