#!/usr/bin/env python3
"""calib profile by 1 and by 2 ranks of this machine, by turns: measure.py CALIB-WITH-MPI [--mib N] [--rounds N].

Makes a contiguous file of float32 and prints the least times, their efficiency, the ranks' peak memory, and what `cat` of the
same file takes."""

import argparse
import os
import resource
import subprocess
import tempfile
import time

import h5py
import numpy


def timed(command):
    begin = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("calib")
    parser.add_argument("--mib", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.h5")
        with h5py.File(path, "w") as file:
            samples = options.mib << 20 >> 16  # 64 KiB each
            values = file.create_dataset("activations/a", (samples, 16, 1024), "f4")
            values.attrs.update({"layout": "NCW", "batch_size": 16})
            random = numpy.random.default_rng(1)
            for first in range(0, samples, 256):
                count = min(256, samples - first)
                values[first:first + count] = random.normal(size=(count, 16, 1024)).astype("f4")
            file.attrs["format"] = "calibration-dump"
        launcher = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n"]
        times = {0: [], 1: [], 2: []}
        for _ in range(options.rounds):
            times[0].append(timed(["cat", path]))
            for ranks in (1, 2):
                command = [options.calib, "profile", path, "-o", os.path.join(folder, f"P{ranks}.h5"), "--jobs", "1",
                           "--unit", "16"]
                times[ranks].append(timed(launcher + [str(ranks)] + command))
        one, two = min(times[1]), min(times[2])
        print(f"cat {min(times[0]):.2f} s, 1 rank {one:.2f} s, 2 ranks {two:.2f} s, efficiency {one / two / 2:.2f}")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        print(f"peak memory of a process {peak / 1024:.0f} MiB")
        with open(os.path.join(folder, "P1.h5"), "rb") as first, open(os.path.join(folder, "P2.h5"), "rb") as second:
            assert first.read() == second.read()


main()
