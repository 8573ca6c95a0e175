#!/usr/bin/env python3
"""calib profile by 1 and by 2 ranks of this machine, by turns: measure.py CALIB-WITH-MPI [--mib N] [--rounds N].

Makes a contiguous file of float32, of which four histograms and five percentiles are asked for, as the model of speed_model.py
has them. Prints medians: the time that passed, and the processors' time of all ranks together, which other work on the
machine changes little; efficiency by both, beside what the model says of this file with what one rank took here; the ranks'
peak memory, and what `cat` of the same file takes. Fails where 1 and 2 ranks do not make the same bytes."""

import argparse
import os
import statistics
import subprocess
import tempfile
import time

import h5py
import numpy

from speed_model import seconds

HISTOGRAMS = ["fixed:bins=2048", "double:bins=2048", "redistribute:bins=512", "as-needed:bins=128"]
PERCENTILES = "99,99.9,99.99,99.999,99.9999"
WAYS = {"cat": 0, "alone": 0, "1 rank": 1, "2 ranks": 2}


def timed(command):
    """Seconds that passed, of processors, and MiB of the largest process."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit code {process.returncode}")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def make_dump(path, mib):
    with h5py.File(path, "w") as file:
        samples = mib << 20 >> 16  # 64 KiB each
        values = file.create_dataset("activations/a", (samples, 16, 1024), "f4")
        values.attrs.update({"layout": "NCW", "batch_size": 16})
        random = numpy.random.default_rng(1)
        for first in range(0, samples, 256):
            count = min(256, samples - first)
            values[first:first + count] = random.standard_normal((count, 16, 1024), numpy.float32)
        file.attrs["format"] = "calibration-dump"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("calib")
    parser.add_argument("--mib", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.h5")
        make_dump(path, options.mib)

        def command(way, ranks):
            if way == "cat":
                return ["cat", path]
            profile = [options.calib, "profile", path, "-o", os.path.join(folder, f"{way}.h5"), "--jobs", "1", "--unit", "16",
                       "--percentile", PERCENTILES]
            for histogram in HISTOGRAMS:
                profile += ["--histogram", histogram]
            launcher = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", str(ranks)]
            return launcher + profile if ranks else profile

        figures = {way: [] for way in WAYS}
        for _ in range(options.rounds):
            for way, ranks in WAYS.items():
                figures[way].append(timed(command(way, ranks)))
        made = {open(os.path.join(folder, f"{way}.h5"), "rb").read() for way in WAYS if way != "cat"}
    passed, busy, peak = ({way: statistics.median(figure[part] for figure in figures[way]) for way in WAYS} for part in range(3))
    size = options.mib << 20
    print("| | s | s of processors | MiB |\n| --- | --- | --- | --- |")
    for way in WAYS:
        largest = "" if way == "cat" else f"{peak[way]:.0f}"
        print(f"| {way} | {passed[way]:.2f} | {busy[way]:.2f} | {largest} |")
    cost = busy["1 rank"] / size
    one, two = (seconds(ranks, size, size, (cost / 2, cost / 2), 1, 50e9, tensors=1, unit=16 << 20) for ranks in (1, 2))
    print(f"\nBoth passes: {cost * 1e9:.2f} ns of a processor for each byte. Efficiency of 2 ranks: by time that passed "
          f"{passed['1 rank'] / passed['2 ranks'] / 2:.2f}, by processors {busy['1 rank'] / busy['2 ranks']:.2f}, "
          f"the model {one / two / 2:.2f}")
    if len(made) != 1:
        raise SystemExit("the bytes differ")


if __name__ == "__main__":
    main()
