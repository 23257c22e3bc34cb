#!/usr/bin/env python3
"""A simulation of `assay check --mpi`: how long ranks wait, and how many messages rank 0 gets.

Each property has the same work. The costs of their cases have the quantiles of the catalog's costs. Chunks are cut by
the rule of assay/campaign/coverage.cpp: CHUNKS has values of that rule, the same as the test Chunks.AreThoseOfTheTable
of the program.
"""

import argparse
import heapq
import random
import sys

PROPERTIES = 1007
# Microseconds a case on one core, measured by `assay check --dry-run`: the share of properties below, the cost there.
COSTS = ((0.0, 6.4), (0.1, 11.4), (0.3, 16.8), (0.5, 23.4), (0.7, 34.8), (0.9, 259.0), (0.95, 1040.0), (0.99, 7320.0),
         (1.0, 75000.0))
# Seconds of work left, slots, seconds of a chunk.
CHUNKS = ((0.0, 1, 1.0), (7.0, 1, 1.75), (100.0, 2, 12.5), (123456.0, 7, 123456.0 / 28), (10000.0, 1000, 2.5),
          (3000000000.0, 16000, 46875.0))

FIRST_PIECE = 16  # cases
WORKER_START = 0.05  # seconds: a process, and the first question
CONCLUSION = 0.5  # seconds: hardest cases judged again, failures shrunk
LETTER = 0.002  # seconds until a letter is read
QUESTION_BYTES = 200
ANSWER_BYTES = 7400  # of a tally


def seconds_of_piece(slots):
    return max(0.5, 0.002 * slots)


def seconds_of_chunk(left, slots):
    return max(1.0, left / (4.0 * slots))


class Item:
    def __init__(self, cases, seconds):
        self.cases = self.open = cases
        self.seconds = seconds  # of a case
        self.measured = False
        self.running = 0


class Job:
    """Rank 0: the open work, and the next task for a slot."""

    def __init__(self, items, slots):
        self.items = items
        self.slots = slots
        self.first = 0  # the items before this one are cut up
        self.known = self.whole = 0.0
        self.measured = 0
        self.others = len(items)

    def measure(self, item):
        if item.measured:
            return
        item.measured = True
        self.measured += 1
        self.others -= item.open != 0
        self.known += item.seconds * item.open
        self.whole += item.seconds * item.cases

    def left(self):
        return self.known + (self.whole / self.measured * self.others if self.measured else 0.0)

    def next(self):
        while self.first < len(self.items) and self.items[self.first].open == 0:
            self.first += 1
        for measured_alone in (True, False):
            for item in self.items[self.first:]:
                if item.open == 0 or (measured_alone and not item.measured and item.running):
                    continue
                return item, self.cut(item)
        return None, 0

    def cut(self, item):
        cases = FIRST_PIECE
        if item.measured:
            cases = max(1, int(min(seconds_of_chunk(self.left(), self.slots) / item.seconds, item.cases)))
        cases = min(cases, item.open)
        item.open -= cases
        if item.measured:
            self.known -= item.seconds * cases
        elif item.open == 0:
            self.others -= 1
        item.running += 1
        return cases


def simulate(items, slots, seed):
    """The time of the job, the seconds of work in it, and the messages to rank 0 in every second."""
    rng = random.Random(seed)
    speed = [rng.uniform(0.9, 1.1) for _ in range(slots)]
    job = Job(items, slots)
    events = [(0.0, slot, None) for slot in range(slots)]
    heapq.heapify(events)
    waiting, conclusions = [], []
    work, end, chunks = 0.0, 0.0, 0
    letters = {}

    def start(now, slot):
        nonlocal work, chunks
        if conclusions:
            conclusions.pop()
            item, seconds, answers = None, CONCLUSION, 40
        else:
            item, cases = job.next()
            if item is None:
                waiting.append(slot)
                return
            chunks += 1
            seconds = cases * item.seconds
            answers = 1 + int(seconds / seconds_of_piece(slots))
        seconds = (seconds + WORKER_START) * speed[slot] + answers * LETTER
        work += seconds
        for k in range(answers):
            second = int(now + seconds * (k + 1) / answers)
            letters[second] = letters.get(second, 0) + 1
        heapq.heappush(events, (now + seconds, slot, item))

    while events:
        now, slot, item = heapq.heappop(events)
        end = max(end, now)
        if item is not None:
            job.measure(item)
            item.running -= 1
            if item.open == 0 and item.running == 0:
                conclusions.append(item)
        idle, waiting[:] = waiting[:], []
        for each in [slot] + idle:
            start(now, each)
    return end, work, chunks, letters


def cost_at(share):
    for (low, least), (high, most) in zip(COSTS, COSTS[1:]):
        if share <= high:
            return 1e-6 * least * (most / least) ** ((share - low) / (high - low))
    raise ValueError(share)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=1e6, help="work on one core")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most-idle", type=float, help="exit code 1 where more than this share of the time is idle")
    given = parser.parse_args()
    if any(seconds_of_chunk(left, slots) != seconds for left, slots, seconds in CHUNKS):
        print("another rule of chunks", file=sys.stderr)
        return 1
    measured = [cost_at(i / (PROPERTIES - 1)) for i in range(PROPERTIES)]
    random.Random(given.seed).shuffle(measured)
    items = [Item(max(1, round(given.seconds / PROPERTIES / seconds)), seconds) for seconds in measured]
    end, work, chunks, letters = simulate(items, given.ranks, given.seed)
    idle = 1 - work / (end * given.ranks)
    busiest = max(letters.values())
    mean = sum(letters.values()) / end
    print(f"{len(items)} properties, {given.seconds:.3g} core-seconds, {given.ranks} ranks, seed {given.seed}:")
    print(f"  {end:.0f} s, idle {100 * idle:.1f} %, {chunks} chunks")
    print(f"  rank 0 gets {mean:.0f} answers a second, {busiest} in the busiest second: "
          f"{mean * ANSWER_BYTES / 1e6:.1f} MB/s, and sends {mean * QUESTION_BYTES / 1e6:.2f} MB/s")
    return 1 if given.most_idle is not None and idle > given.most_idle else 0


if __name__ == "__main__":
    sys.exit(main())
