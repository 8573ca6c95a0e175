#!/usr/bin/python3
"""calib on large dumps: load.py [PROGRAM] [FOLDER]. By hand; needs h5py and numpy, takes some minutes.

Writes dumps of many tensors, values, channels, batches and long names into a temporary folder (or one below FOLDER),
prints time and peak memory of what reads them, and fails where more was resident than 256 MiB and what the list of
tensors itself takes, or where twice as much takes more than three times as long.
"""

import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from engine_talk import Engine, preview, status

MOST_MIB = 256
faults = []


def run(program, what, *words, listed_mib=0):
    started = time.monotonic()
    process = subprocess.Popen([program, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, ended, usage = os.wait4(process.pid, 0)
    seconds, mib = time.monotonic() - started, usage.ru_maxrss / 1024
    code = os.waitstatus_to_exitcode(ended)
    limit = MOST_MIB + listed_mib
    verdict = "" if code == 0 and mib <= limit else f"  FAILS: exit {code}, {limit} MiB allowed"
    if verdict:
        faults.append(what)
    said = errors.decode(errors="replace").splitlines()
    print(f"{what:<44} {seconds:7.1f} s {mib:6.0f} MiB{verdict}", *said[-1:] if verdict else [], flush=True)
    return seconds


def written(write):
    """The dump is written in a process of its own: a child's peak begins at what its parent had when it was made."""

    def in_child(*words, **attributes):
        if (child := os.fork()) == 0:
            global h5py, np
            import h5py
            import numpy as np

            write(*words, **attributes)
            os._exit(0)
        if os.waitpid(child, 0)[1] != 0:
            sys.exit("the dump could not be written")

    return in_child


@written
def tensors(path, count, name="activation {}"):
    with h5py.File(path, "w", libver="latest") as file:
        group = file.create_group("activations")
        values = np.linspace(-1, 1, 100, dtype="f4")
        for number in range(count):
            group[name.format(number)] = values


@written
def sparse(path, rows, width):
    """Contiguous, with holes: values that are there without being written."""
    with h5py.File(path, "w") as file:
        space = h5py.h5s.create_simple((rows, width))
        storage = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        storage.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        storage.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
        data = h5py.Dataset(h5py.h5d.create(file.id, b"a", h5py.h5t.IEEE_F32LE, space, storage))
        data[rows // 2] = np.random.default_rng(1).normal(size=width).astype("f4")


@written
def one(path, shape, group="activations", **attributes):
    with h5py.File(path, "w", libver="latest") as file:
        data = file.create_dataset(
            group + "/a", data=np.random.default_rng(2).normal(size=shape).astype("f4"), chunks=True
        )
        for name, value in attributes.items():
            data.attrs[name] = value


def linear(what, half, whole):
    """Twice as much may take three times as long, beside what every start takes."""
    if whole > 3 * half + 0.5:
        faults.append(what)
        print(f"{what:<44} FAILS: {half:.1f} s, twice as much {whole:.1f} s")


def many_tensors(program, folder):
    counts = (50_000, 100_000)
    paths = [os.path.join(folder, f"tensors{count}.h5") for count in counts]
    for path, count in zip(paths, counts):
        tensors(path, count)
    listed = 150  # names, paths, shapes and reasons of 100,000 tensors
    for words in (["info"], ["stats"], ["scales", "--calibrator", "min-max"]):
        times = [
            run(program, f"{words[0]}, {count} tensors", words[0], path, *words[1:], listed_mib=listed)
            for path, count in zip(paths, counts)
        ]
        linear(words[0], *times)


def opens(program, folder):
    path = os.path.join(folder, "small.h5")
    tensors(path, 20)
    others = []
    for number in range(20):
        others.append(os.path.join(folder, f"small{number}.h5"))
        tensors(others[-1], 20)
    engine = Engine(program)
    resident = []
    started = time.monotonic()
    for turn in range(500):
        file = others[turn % len(others)]
        if "result" not in engine.ask("open", {"path": file, "allowExternal": False}):
            faults.append("open")
        if "result" not in engine.ask("preview", preview(file, turn % 20)):
            faults.append("preview")
        if turn in (99, 499):
            resident.append(int(status(engine.process.pid, "VmRSS").split()[0]) / 1024)
    seconds = time.monotonic() - started
    descriptors = len(os.listdir(f"/proc/{engine.process.pid}/fd"))
    grown = resident[1] > resident[0] + 16 or descriptors > 40
    if grown:
        faults.append("opens")
    print(
        f"{'500 opens in one engine':<44} {seconds:7.1f} s {resident[0]:6.0f} -> {resident[1]:.0f} MiB,"
        f" {descriptors} descriptors{'  FAILS' if grown else ''}"
    )
    engine.end()


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else ".build/release/bin/calib"
    with tempfile.TemporaryDirectory(dir=sys.argv[2] if len(sys.argv) > 2 else None) as folder:
        many_tensors(program, folder)

        path = os.path.join(folder, "values.h5")
        sparse(path, 1000, 1_000_000)
        run(program, "stats, 10^9 values", "stats", path)
        run(program, "scales, 10^9 values", "scales", path, "--calibrator", "min-max", "--timeout", "60")

        path = os.path.join(folder, "channels.h5")
        one(path, (200_000, 32), "weights", channel_axis=0)
        run(program, "stats, 200,000 channels", "stats", path)
        run(program, "stats by channel", "stats", path, "--rows", "channel")
        run(program, "scales by channel", "scales", path, "--calibrator", "min-max", "--granularity", "channel")

        path = os.path.join(folder, "batches.h5")
        one(path, (10_000, 64), batch_size=1)
        run(program, "stats, 10,000 batches", "stats", path)
        run(program, "scales, 10,000 batches", "scales", path)

        path = os.path.join(folder, "names.h5")
        tensors(path, 2_000, "x" * 3990 + "{}")
        for command in ("info", "stats"):
            run(program, f"{command}, 2,000 names of 4,000 characters", command, path)

        opens(program, folder)
    if faults:
        sys.exit("failed: " + ", ".join(faults))


if __name__ == "__main__":
    main()
