#!/usr/bin/env python3
"""How a profile's time falls with the number of ranks: a model, for resources/docs/cluster.md.

Measured on one core of the developers' machine: seconds for each byte of both passes. Assumed: machines of 32 ranks with 12.5
GB/s each, of which one rank gets 2; a small read takes 0.3 ms; 150 kB for the sums of a tensor and as many for its counts.
A pass takes as long as its scarcest: processor, machine's link, file system. The second one reads memory where a wave fits
there. Printed are seconds and, in brackets, the bytes of both readings over time as a share of the file system's speed."""

import argparse
import math

RANKS_A_MACHINE = 32
LINK = 12.5e9
RANK_LINK = 2e9
SMALL_READ = 0.3e-3
READS_A_TENSOR = 1.3
TENSORS = 5000
TOLD_BYTES = 150e3
MEMORY = 128e9
UNIT = 64e6
# (first pass, second pass) in seconds for each byte of values
PROCESSOR = {"contiguous": (0.54e-9, 0.79e-9), "gzip": (2.6e-9, 2.9e-9)}


def seconds(ranks, stored, values, costs, files, file_system, waves=True, *, tensors=TENSORS, unit=UNIT):
    """`costs`: of a processor, in seconds for each byte of values in both passes."""
    machines = max(1, math.ceil(ranks / RANKS_A_MACHINE))
    link = min(ranks * RANK_LINK, machines * LINK)
    first, second = costs
    reading = stored / min(link, file_system)
    lists = math.ceil(files / ranks) * tensors * READS_A_TENSOR * SMALL_READ
    first_pass = max(values * first / ranks, reading)
    second_pass = values * second / ranks if waves else max(values * second / ranks, reading)
    # The last unit of each pass is waited for; waves wait once each.
    count = math.ceil(stored / (machines * MEMORY / 2)) if waves else 1
    last = unit * (values / stored) * max(first, 1 / RANK_LINK)
    told = 2 * tensors * TOLD_BYTES * min(ranks, tensors) / min(machines * LINK, 1e12) / 8
    return lists + first_pass + second_pass + 2 * count * last / 2 + told


def main():
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    counts = [1, 2, 16, 64, 128, 256, 1024]
    rows = [
        ("1 TB contiguous, 64 files, 50 GB/s", 1e12, 1e12, "contiguous", 64, 50e9, True),
        ("the same without near values", 1e12, 1e12, "contiguous", 64, 50e9, False),
        ("1 TB of gzip (1.7 TB of values), 64 files", 1e12, 1.7e12, "gzip", 64, 50e9, True),
        ("100 TB contiguous, 1024 files", 100e12, 100e12, "contiguous", 1024, 50e9, True),
    ]
    print("| s | " + " | ".join(f"N = {count}" for count in counts) + " |")
    print("| --- " * (len(counts) + 1) + "|")
    for name, stored, values, kind, files, file_system, waves in rows:
        cells = []
        for count in counts:
            time = seconds(count, stored, values, PROCESSOR[kind], files, file_system, waves)
            passes = 1 if waves else 2
            cells.append(f"{time:.0f} ({100 * passes * stored / time / file_system:.0f} %)")
        print(f"| {name} | " + " | ".join(cells) + " |")
    one, two = (seconds(count, 1e12, 1e12, PROCESSOR["contiguous"], 1, 50e9) for count in (1, 2))
    print(f"\nModel, one file, both passes by the processor: efficiency of 2 ranks {one / two / 2:.2f}")


if __name__ == "__main__":
    main()
