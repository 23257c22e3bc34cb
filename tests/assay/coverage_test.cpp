#include "assay/campaign/coverage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "assay/campaign/crew.hpp"

namespace assay::campaign {
namespace {

constexpr std::uint64_t cases = 1000;

Tally empty() {
  Tally tally;
  tally.classes.resize(1);
  return tally;
}

/// Runs the first `count` cases of a chunk, as a campaign does: up to the last offender that it may have.
AskedCases asked(const Chunk& chunk, std::uint64_t count, std::size_t most,
                 const std::vector<std::uint64_t>& offenders) {
  AskedCases shown{empty(), {}, most};
  for (std::uint64_t at = chunk.first; at < chunk.first + count && shown.offenders.size() < most; ++at) {
    ++shown.tally.classes[0].planned;
    ++shown.tally.classes[0].executed;
    shown.tally.bits.inputs += at;
    if (std::ranges::find(offenders, at) != offenders.end()) shown.offenders.push_back({at, {}, {}});
  }
  return shown;
}

/// All data about the gathered cases: how many, which, and the offenders.
std::string text(const Gathered& gathered) {
  std::string all = std::to_string(total(gathered.tally).planned) + " " + std::to_string(gathered.tally.bits.inputs) +
                    (gathered.cut_short ? ", cut short:" : ":");
  for (const Offender& each : gathered.offenders) all += " " + std::to_string(each.number);
  return all;
}

/// The gathered result if up to four slots run chunks of random sizes at a time and return in any order.
std::string gathered_in_random_chunks(const std::vector<std::uint64_t>& offenders, unsigned seed) {
  std::mt19937 random(seed);
  Coverage coverage(cases, empty());
  struct Running {
    Chunk chunk;
    std::size_t most;
  };
  std::vector<Running> slots;
  while (!coverage.complete()) {
    while (slots.size() < 4 && coverage.open() != 0) {
      const Chunk chunk = coverage.cut(1 + random() % 300);
      slots.push_back({chunk, coverage.offenders_of(chunk)});
    }
    const auto one = slots.begin() + static_cast<std::ptrdiff_t>(random() % slots.size());
    const std::uint64_t done = random() % 4 == 0 ? one->chunk.count / 2 : one->chunk.count;
    coverage.take(one->chunk, done, asked(one->chunk, done, one->most, offenders));
    slots.erase(one);
  }
  return text(coverage.gathered);
}

TEST(Coverage, GathersTheSameForAnyCut) {
  const std::vector<std::vector<std::uint64_t>> some{{},
                                                     {0},
                                                     {999},
                                                     {3, 4, 500, 501, 502, 503, 504, 999},
                                                     {1, 2, 3, 400, 401, 402, 403, 404, 405, 406, 407, 900},
                                                     {1, 2, 3, 4, 400, 401, 402, 500}};
  for (const std::vector<std::uint64_t>& offenders : some) {
    Coverage whole(cases, empty());
    const Chunk chunk = whole.cut(cases);
    whole.take(chunk, cases, asked(chunk, cases, whole.offenders_of(chunk), offenders));
    ASSERT_TRUE(whole.complete());
    for (unsigned seed = 0; seed < 50; ++seed) {
      EXPECT_EQ(gathered_in_random_chunks(offenders, seed), text(whole.gathered)) << "seed " << seed;
    }
  }
}

TEST(Coverage, EndsAtTheEighthCaseWithoutAnAnswer) {
  EXPECT_EQ(gathered_in_random_chunks({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 1), "9 36, cut short: 1 2 3 4 5 6 7 8");
}

TEST(Coverage, AsksWhatAnEarlierRunDidNotFinish) {
  Coverage coverage(cases, empty());
  coverage.recall(100, 50, asked({100, 50}, 50, most_offenders, {}));
  coverage.recall(0, 30, asked({0, 30}, 30, most_offenders, {}));
  coverage.recall(0, 40, asked({0, 40}, 40, most_offenders, {}));
  coverage.recalled();
  EXPECT_EQ(coverage.open(), cases - 90);
  while (coverage.open() != 0) {
    const Chunk chunk = coverage.cut(333);
    coverage.take(chunk, chunk.count, asked(chunk, chunk.count, most_offenders, {}));
  }
  EXPECT_EQ(text(coverage.gathered), "1000 499500:");
}

TEST(Coverage, EndedByTimeCountsWhatIsKnownWhereverItLies) {
  Coverage coverage(cases, empty());
  coverage.cut(10);
  const Chunk second = coverage.cut(5);
  coverage.take(second, 2, asked(second, 2, most_offenders, {}));
  coverage.end_early();
  EXPECT_EQ(text(coverage.gathered), "2 21:");
}

/// Machines with this many workers, in addition to this one. Nobody asks them.
struct Machines : Helpers {
  explicit Machines(std::vector<unsigned> workers) : workers_(std::move(workers)) {}
  const std::vector<unsigned>& jobs() const override { return workers_; }
  std::unique_ptr<process::Asker> asker(unsigned, const PropertyModel&, const std::string&, std::uint64_t) override {
    return nullptr;
  }
  std::vector<unsigned> workers_;
};

CrewSettings with_jobs(unsigned jobs, Helpers& others) {
  CrewSettings settings;
  settings.jobs = jobs;
  settings.helpers = &others;
  return settings;
}

TEST(Crew, HasTheFirstSlotOfEachMachineBeforeASecond) {
  Machines others({3, 1});
  EXPECT_EQ(Crew(with_jobs(2, others), false).slots(), (std::vector<unsigned>{0, 1, 2, 0, 1, 1}));
}

TEST(Crew, HasNoMoreSlotsOfAMachineThanAreWanted) {
  Machines others({3, 1});
  EXPECT_EQ(Crew(with_jobs(16, others), false, 2).slots(), (std::vector<unsigned>{0, 1, 2, 0, 1}));
}

// bench/clusters/schedule.py has the same table.
TEST(Chunks, AreThoseOfTheTable) {
  EXPECT_EQ(seconds_of_chunk(0, 1), 1);
  EXPECT_EQ(seconds_of_chunk(7, 1), 1.75);
  EXPECT_EQ(seconds_of_chunk(100, 2), 12.5);
  EXPECT_EQ(seconds_of_chunk(123456, 7), 123456.0 / 28);
  EXPECT_EQ(seconds_of_chunk(10000, 1000), 2.5);
  EXPECT_EQ(seconds_of_chunk(3e9, 16000), 46875);
}

}  // namespace
}  // namespace assay::campaign
