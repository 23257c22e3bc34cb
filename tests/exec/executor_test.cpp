#include "exec/executor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "arith/words/operands.hpp"
#include "exec/launch.hpp"

namespace assay {
namespace {

struct Halve {
  using Input = double;
  using Output = double;
  ASSAY_HD Output operator()(const Input& x) const { return x / 2; }
};

struct WriteOutside {
  double* y;
  std::ptrdiff_t place;
  void operator()(std::size_t) const { y[place] = 1; }
};

TEST(Executor, OnTheHostIsNamedHost) { EXPECT_EQ(Executor::host().name(), "host"); }

TEST(Executor, WithoutADeviceThrowsAnErrorThatIsNotFatal) {
  if (Executor::cuda_device_count() > 0) GTEST_SKIP() << "a CUDA device is present";
  try {
    Executor::cuda(0);
    FAIL() << "no exception";
  } catch (const ExecutorError& error) {
    EXPECT_FALSE(error.fatal());
  }
}

TEST(Executor, CopiesShareOneAudit) {
  const Executor on = Executor::host();
  const Executor copy = on;  // NOLINT(performance-unnecessary-copy-initialization): the copy is what is tested.
  copy.record_call();
  EXPECT_EQ(on.audit().calls, 1u);
}

TEST(Executor, WithFewBlocksKeepsAllButTheAudit) {
  const Executor on = Executor::host(Order::shuffled, 7);
  on.record_call();
  const Executor few = on.with_most_blocks(2);
  EXPECT_EQ(few.order(), Order::shuffled);
  EXPECT_EQ(few.seed(), 7u);
  EXPECT_EQ(few.model(), on.model());
  EXPECT_EQ(few.most_blocks(), 2u);
  EXPECT_EQ(on.most_blocks(), SIZE_MAX);
  EXPECT_EQ(few.audit(), Audit{});
}

TEST(Executor, ForgetsItsAuditOnReset) {
  const Executor on = Executor::host();
  on.record_input_change();
  on.reset_audit();
  EXPECT_EQ(on.audit(), Audit{});
}

TEST(Elementwise, AppliesTheOperationToEveryElementInEveryOrder) {
  const std::vector<double> x{2, 4, 6, 8, 10};
  for (const Order order : {Order::ascending, Order::descending, Order::shuffled}) {
    EXPECT_EQ(elementwise<Halve>(Executor::host(order, 7), x), (std::vector<double>{1, 2, 3, 4, 5}));
  }
}

TEST(Elementwise, OfNothingIsNothing) {
  EXPECT_TRUE(elementwise<Halve>(Executor::host(), std::span<const double>{}).empty());
}

TEST(Elementwise, OfAnHonestOperationLeavesTheAuditClean) {
  const Executor on = Executor::host();
  elementwise<Halve>(on, std::vector<double>(100, 1.0));
  EXPECT_EQ(on.audit(), (Audit{.calls = 1}));
}

TEST(Array, StartsAsNaN) {
  for (const double x : Array<double>(Executor::host(), 9).take()) EXPECT_TRUE(std::isnan(x));
}

TEST(OneElement, IsAnArrayOfOne) {
  const OneElement<double> x(Executor::host());
  EXPECT_TRUE(std::isnan(x.take()));
  *x.data() = 2.5;
  EXPECT_EQ(x.take(), 2.5);
}

TEST(Array, CountsAWriteBeforeItsFirstElement) {
  const Executor on = Executor::host();
  const Array<double> y(on, 3);
  launch_indices(on, 1, WriteOutside{y.data(), -1});
  static_cast<void>(y.take());
  EXPECT_EQ(on.audit().guard_zone_violations, 1u);
}

TEST(Array, CountsAWriteBehindItsLastElement) {
  const Executor on = Executor::host();
  const Array<double> y(on, 3);
  launch_indices(on, 1, WriteOutside{y.data(), 3});
  static_cast<void>(y.take());
  EXPECT_EQ(on.audit().guard_zone_violations, 1u);
}

TEST(Array, CountsAChangedInput) {
  const Executor on = Executor::host();
  const std::vector<double> original{5, 6, 7};
  const Array<double> x(on, original);
  launch_indices(on, 1, WriteOutside{x.data(), 1});
  x.compare(original);
  EXPECT_EQ(on.audit(), (Audit{.input_changes = 1, .calls = 1}));
}

}  // namespace
}  // namespace assay
