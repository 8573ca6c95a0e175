#!/usr/bin/env python3
"""How long a user waits for the window: at its start, on a dump of 10 GB, and on a dump seen before.

window_bench.py BIN SAMPLE [--rounds N] [--gib N] (window_bench.sh builds and runs it)

Each round starts the programs anew, by turns; printed are medians, in milliseconds from the start of the process
unless something else is said. The large dump is sparse but for the first batch of each tensor. Everything is made in
a temporary folder and removed.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

import h5py
import numpy as np


TENSOR = "swish_13.tmp_0"


def events_of(command):
    """What happened when, in ms from the start of the process."""
    begin = time.clock_gettime(time.CLOCK_MONOTONIC)
    run = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
    lines = (line.split() for line in run.stdout.splitlines())
    return {name: 1000.0 * (float(clock) - begin) for name, clock in lines}


def median(rounds, name, since=None):
    return statistics.median(e[name] - (e[since] if since else 0.0) for e in rounds)


def say(what, ms, aim=""):
    print(f"  {what:<58}{ms:>10.1f}  {aim}", flush=True)


def cold_start(programs, sample, rounds):
    charts, windows = [], []
    for _ in range(rounds):
        charts.append(events_of([programs / "chart_start"]))
        windows.append(events_of([programs / "window_times", "show", sample, TENSOR, "-"]))
    chart, window = median(charts, "painted"), median(windows, "histogram")
    print("start, and the bundled sample")
    say("empty window with one chart, painted", chart)
    say("our window, built", median(windows, "built"))
    say("our window, shown", median(windows, "shown"))
    say("the sample's list", median(windows, "list"))
    say("first histogram, painted", window)
    say("ratio of the last to the first", window / chart, "at most 3")


def make_large(path, gib):
    """10 tensors of 16 batches."""
    tensors, batches = 10, 16
    batch = gib * 2**30 // (tensors * batches * 4 * 64 * 64)
    values = np.random.default_rng(1).exponential(1.0, (1, batch, 64, 64)).astype(np.float32)
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    space = h5py.h5s.create_simple((batches, batch, 64, 64))
    with h5py.File(path, "w") as file:
        file.attrs["format"] = "calibration-dump"
        group = file.create_group("activations")
        for tensor in range(tensors):
            name = f"relu_{tensor}"
            h5py.h5d.create(group.id, name.encode(), h5py.h5t.IEEE_F32LE, space, plist)
            group[name].attrs["batch_size"] = 1
            group[name][:1] = values


def large_dump(programs, folder, gib, rounds):
    path = folder / "large.h5"
    make_large(path, gib)
    make_old(path)
    shows, cancels = [], []
    for _ in range(rounds):
        shows.append(events_of([programs / "window_times", "show", path, "relu_7", "-"]))
        cancels.append(events_of([programs / "window_times", "cancel", path]))
    again = [events_of([programs / "window_times", "show", path, "relu_7", folder / "cache"]) for _ in range(2)]
    shutil.rmtree(folder / "cache")
    path.unlink()
    print(f"a dump of {gib} GiB")
    say("its list, from the start of its opening on", median(shows, "list", "shown"), "at most 500")
    say("histogram of the first batch, from the list on", median(shows, "histogram", "list"), "at most 300")
    if all("cancelled" in events for events in cancels):  # else a tensor takes less than 0.2 s
        say("a cancel", median(cancels, "cancelled", "cancel"), "at most 200")
    first, second = (events["all"] - events["list"] for events in again)
    say("all of it computed and shown, for the first time", first)
    say("all of it computed and shown, results cached", second)
    say("ratio of the two", first / second)


def make_old(path):
    """Nothing is kept of a file that was changed a moment ago."""
    os.utime(path, (time.time() - 3600,) * 2)


def opened_again(programs, folder, sample, rounds):
    dump = folder / "again.h5"
    shutil.copy(sample, dump)
    make_old(dump)
    colds, warms = [], []
    for number in range(rounds):
        cache = folder / f"cache{number}"
        command = [programs / "window_times", "show", dump, TENSOR, cache]
        colds.append(events_of(command))
        warms.append(events_of(command))
        size = sum(file.stat().st_size for file in cache.iterdir())
        shutil.rmtree(cache)
    print("the sample opened again, from its list on")
    for name, what in (("histogram", "first histogram"), ("all", "all of the dump computed and shown")):
        cold, warm = median(colds, name, "list"), median(warms, name, "list")
        say(f"{what}, for the first time", cold)
        say(f"{what}, results cached", warm)
        say("ratio of the two", cold / warm)
    print(f"  cached for it: {size / 2**20:.1f} MiB")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("sample", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--gib", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="calibscope-bench-") as name:
        folder = pathlib.Path(name)
        cold_start(options.programs, options.sample, options.rounds)
        large_dump(options.programs, folder, options.gib, options.rounds)
        opened_again(options.programs, folder, options.sample, options.rounds)


if __name__ == "__main__":
    main()
