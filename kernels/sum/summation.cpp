#include "kernels/sum/summation.hpp"

#include <stdexcept>
#include <tuple>

#include "arith/float/small_float.hpp"
#include "exec/array.hpp"
#include "exec/launch.hpp"

namespace assay::sum {
namespace {

/// The vectors of a sum, for the device.
template <class T>
struct OneVector {
  const T* x;
  template <class Accumulator>
  ASSAY_HD void add_to(Accumulator& sum, std::size_t i) const {
    sum.add(x[i]);
  }
};

/// The vectors of a dot product, for the device.
template <class T>
struct TwoVectors {
  const T* x;
  const T* y;
  template <class Accumulator>
  ASSAY_HD void add_to(Accumulator& sum, std::size_t i) const {
    sum.add(x[i], y[i]);
  }
};

void check_offsets(Offsets offsets, std::size_t size) {
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    if (offsets[i] > offsets[i + 1]) throw std::invalid_argument("the offsets of a batch of vectors decrease");
  }
  if (!offsets.empty() && offsets.back() > size) {
    throw std::invalid_argument("the offsets of a batch of vectors end after its data");
  }
}

/// The results of `queue(count, offsets, results)` over arrays on the executor.
template <class Result, class Queue>
std::vector<Result> run(const Executor& on, Offsets offsets, Queue&& queue) {
  if (offsets.size() < 2) return {};
  const Array<std::size_t> ends(on, offsets);
  const Array<Result> results(on, offsets.size() - 1);
  queue(results.size(), ends.data(), results.data());
  ends.compare(offsets);
  return results.take();
}

template <template <class, class> class Body, class Accumulator, class Data>
void queue_body(const Executor& on, std::size_t count, const Body<Accumulator, Data>& body) {
  if constexpr (requires { body.threads; }) {
    queue_blocks(on, count, body);
  } else {
    queue_indices(on, count, body);
  }
}

}  // namespace

namespace detail {

/// Result i by one thread, from left to right.
template <class Accumulator, class Data>
struct SerialBody {
  Data data;
  const std::size_t* offsets;
  typename Accumulator::Result* results;
  ASSAY_HD void operator()(std::size_t i) const {
    Accumulator sum{};
    for (std::size_t j = offsets[i]; j < offsets[i + 1]; ++j) data.add_to(sum, j);
    results[i] = sum.result();
  }
};

/// Result i by block i: strided serial parts, then a tree.
template <class Accumulator, class Data>
struct BlockBody {
  static constexpr int threads = block_sum_threads;
  struct Shared {
    Accumulator partial[threads];
  };
  Data data;
  const std::size_t* offsets;
  typename Accumulator::Result* results;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const std::size_t begin = offsets[block.index()];
    const std::size_t end = offsets[block.index() + 1];
    block.for_each_thread([&](int t, Shared& shared) {
      Accumulator sum{};
      for (std::size_t j = begin + static_cast<std::size_t>(t); j < end; j += threads) data.add_to(sum, j);
      shared.partial[t] = sum;
    });
    for (int d = threads / 2; d > 0; d /= 2) {
      block.for_each_thread([&](int t, Shared& shared) {
        if (t < d) shared.partial[t] = Accumulator::combine(shared.partial[t], shared.partial[t + d]);
      });
    }
    block.for_one_thread([&](Shared& shared) { results[block.index()] = shared.partial[0].result(); });
  }
};

template <template <class, class> class Body, class Accumulator, class T>
void queue_sums(const Executor& on, std::size_t count, const std::size_t* offsets, T* results, const T* x) {
  queue_body(on, count, Body<Accumulator, OneVector<T>>{{x}, offsets, results});
}

template <template <class, class> class Body, class Accumulator, class T>
std::vector<T> sums(const Executor& on, Offsets offsets, std::span<const T> x) {
  check_offsets(offsets, x.size());
  return run<T>(on, offsets, [&](std::size_t count, const std::size_t* ends, T* results) {
    const Array<T> data(on, x);
    queue_sums<Body, Accumulator, T>(on, count, ends, results, data.data());
    wait(on);
    data.compare(x);
  });
}

template <template <class, class> class Body, class Accumulator, class T, class R>
void queue_dots(const Executor& on, std::size_t count, const std::size_t* offsets, R* results, const T* x, const T* y) {
  queue_body(on, count, Body<Accumulator, TwoVectors<T>>{{x, y}, offsets, results});
}

template <template <class, class> class Body, class Accumulator, class T, class R>
std::vector<R> dots(const Executor& on, Offsets offsets, std::span<const T> x, std::span<const T> y) {
  if (x.size() != y.size()) throw std::invalid_argument("the vectors of a dot product have different sizes");
  check_offsets(offsets, x.size());
  return run<R>(on, offsets, [&](std::size_t count, const std::size_t* ends, R* results) {
    const Array<T> left(on, x);
    const Array<T> right(on, y);
    queue_dots<Body, Accumulator, T, R>(on, count, ends, results, left.data(), right.data());
    wait(on);
    left.compare(x);
    right.compare(y);
  });
}

/// Instantiates the calls of one kernel: the addresses keep the functions in the object file.
template <template <class, class> class Body, class Accumulator, class T>
constexpr std::tuple sum_functions{&sums<Body, Accumulator, T>, &queue_sums<Body, Accumulator, T>};
template <template <class, class> class Body, class Accumulator, class T, class R = T>
constexpr std::tuple dot_functions{&dots<Body, Accumulator, T, R>, &queue_dots<Body, Accumulator, T, R>};

/// Instantiates the sums and dot products on vectors of T.
template <class T>
struct Instantiate {
  static constexpr std::tuple functions{
      sum_functions<SerialBody, Recursive<T>, T>,    sum_functions<SerialBody, Pairwise<T>, T>,
      sum_functions<SerialBody, Kahan<T>, T>,        sum_functions<SerialBody, Neumaier<T>, T>,
      sum_functions<SerialBody, Compensated<T>, T>,  sum_functions<SerialBody, Levels<T, 3>, T>,
      sum_functions<SerialBody, Levels<T, 4>, T>,    sum_functions<BlockBody, Recursive<T>, T>,
      sum_functions<BlockBody, Compensated<T>, T>,   dot_functions<SerialBody, Recursive<T>, T>,
      dot_functions<SerialBody, Compensated<T>, T>,  dot_functions<SerialBody, DotLevels<T, 3>, T>,
      dot_functions<SerialBody, DotLevels<T, 4>, T>, dot_functions<BlockBody, Recursive<T>, T>,
      dot_functions<BlockBody, Compensated<T>, T>};
};
template struct Instantiate<double>;
template struct Instantiate<float>;

/// Instantiates the serial sums and dot products of short formats: those that are enumerated, and those in which a few
/// hundred terms reach the limits of the theorems.
template <class T>
struct InstantiateSmall {
  static constexpr std::tuple functions{
      sum_functions<SerialBody, Recursive<T>, T>,   sum_functions<SerialBody, Neumaier<T>, T>,
      sum_functions<SerialBody, Compensated<T>, T>, sum_functions<SerialBody, Levels<T, 3>, T>,
      dot_functions<SerialBody, Recursive<T>, T>,   dot_functions<SerialBody, Compensated<T>, T>};
};
template struct InstantiateSmall<Toy<3>>;
template struct InstantiateSmall<Toy<4>>;
template struct InstantiateSmall<binary16>;
template struct InstantiateSmall<bfloat16>;

/// Instantiates the dot products of binary32 data in binary64.
template <template <class, class> class... Body>
struct InstantiateWidened {
  static constexpr std::tuple functions{dot_functions<Body, Widened, float, double>...};
};
template struct InstantiateWidened<SerialBody, BlockBody>;

}  // namespace detail
}  // namespace assay::sum
