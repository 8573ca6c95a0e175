#!/usr/bin/env python3
"""How evenly ways of dealing out a profile's work load the ranks: a simulation, for resources/docs/cluster.md.

1 TB in 5 000 tensors whose sizes fall as a power of their place, the largest 344 GB. A unit takes its bytes over the rank's
speed, times a factor from 0.8 to 1.25 (a file system is not even); a request takes 1 ms. Printed is the time until the last
rank has ended over total bytes / total speed; in brackets with one rank four times slower."""

import argparse
import heapq
import random

TENSORS = 5000
TOTAL = 1e12
LARGEST = 344e9
REQUEST = 1e-3
SPEED = 2e9
LEAST_FACTOR, MOST_FACTOR = 0.8, 1.25


def tensor_sizes():
    # The largest tensor's share grows with the power.
    low, high = 0.5, 4.0
    for _ in range(60):
        power = (low + high) / 2
        total = sum(k ** -power for k in range(1, TENSORS + 1))
        low, high = (power, high) if TOTAL / total < LARGEST else (low, power)
    return [TOTAL * k ** -power / total for k in range(1, TENSORS + 1)]


def units_of(sizes, unit):
    """Large tensors in units, small ones together up to a unit; the largest first."""
    units, small = [], 0.0
    for size in sizes:
        if size >= unit:
            units += [unit] * int(size // unit) + ([size % unit] if size % unit else [])
            continue
        small += size
        if small >= unit:
            units.append(small)
            small = 0.0
    return sorted(units + ([small] if small else []), reverse=True)


class Ranks:
    def __init__(self, count, is_one_slow, seed):
        self.speeds = [SPEED] * count
        if is_one_slow:
            self.speeds[count // 2] /= 4
        self.random = random.Random(seed)

    def seconds(self, rank, size):
        return size / self.speeds[rank] * self.random.uniform(LEAST_FACTOR, MOST_FACTOR)

    def over_ideal(self, ends, sizes):
        mean = (LEAST_FACTOR + MOST_FACTOR) / 2
        return max(ends) / (sum(sizes) / sum(self.speeds) * mean)


def dealt(ranks, sizes):
    ends = [0.0] * len(ranks.speeds)
    for place, size in enumerate(sizes):
        ends[place % len(ends)] += ranks.seconds(place % len(ends), size)
    return ranks.over_ideal(ends, sizes)


def longest_first(ranks, sizes):
    """Beforehand, to who has least so far; speeds are not known then."""
    loads = [(0.0, rank) for rank in range(len(ranks.speeds))]
    ends = [0.0] * len(ranks.speeds)
    for size in sorted(sizes, reverse=True):
        load, rank = heapq.heappop(loads)
        ends[rank] += ranks.seconds(rank, size)
        heapq.heappush(loads, (load + size, rank))
    return ranks.over_ideal(ends, sizes)


def on_request(ranks, sizes):
    free = [(0.0, rank) for rank in range(len(ranks.speeds))]
    for size in sizes:
        time, rank = heapq.heappop(free)
        heapq.heappush(free, (time + REQUEST + ranks.seconds(rank, size), rank))
    return ranks.over_ideal([time for time, _ in free], sizes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    seed = parser.parse_args().seed
    sizes = tensor_sizes()
    shuffled = sizes[:]
    random.Random(seed).shuffle(shuffled)
    ways = [
        ("tensor t to rank t mod N", dealt, shuffled),
        ("tensors, longest first", longest_first, sizes),
        ("units of 64 MB dealt out beforehand", dealt, units_of(sizes, 64e6)),
        ("on request, 64 MB", on_request, units_of(sizes, 64e6)),
        ("on request, 256 MB", on_request, units_of(sizes, 256e6)),
    ]
    counts = [4, 32, 256, 1024]
    print("| time over ideal | " + " | ".join(f"N = {count}" for count in counts) + " |")
    print("| --- " * (len(counts) + 1) + "|")
    for name, way, parts in ways:
        cells = [f"{way(Ranks(count, False, seed), parts):.2f} ({way(Ranks(count, True, seed), parts):.2f})"
                 for count in counts]
        print(f"| {name} | " + " | ".join(cells) + " |")


main()
