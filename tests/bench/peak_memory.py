#!/usr/bin/python3
"""Peak memory of calib on tensors of 4 GiB, with the default budget: peak_memory.py [PROGRAM] [FOLDER].

Writes two files that take little room (contiguous with holes; chunked, each chunk the same packed bytes), runs
`calib stats` and `calib histogram` on each, prints the most that was resident, and fails if that was 256 MiB or more.
Needs h5py and numpy; takes some minutes. Run by hand, after changes to how values are read or profiles are kept.
"""

import os
import subprocess
import sys
import tempfile
import zlib

import h5py
import numpy as np

MOST_MIB = 256
ROWS, WIDTH = 4096, 1 << 18  # 4 GiB of float32, 1 MiB for each row


def write_contiguous(path):
    with h5py.File(path, "w") as file:
        space = h5py.h5s.create_simple((ROWS, WIDTH))
        storage = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        storage.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        storage.set_fill_time(h5py.h5d.FILL_TIME_NEVER)  # so that the file has holes
        data = h5py.Dataset(h5py.h5d.create(file.id, b"a", h5py.h5t.IEEE_F32LE, space, storage))
        data[ROWS // 2] = np.random.default_rng(1).normal(size=WIDTH).astype("f4")


def write_packed(path):
    row = np.random.default_rng(2).normal(size=4096).astype("<f4")
    packed = zlib.compress(np.tile(row, WIDTH // 4096).tobytes(), 1)
    with h5py.File(path, "w") as file:
        data = file.create_dataset("activations/a", (ROWS, WIDTH), "<f4", chunks=(1, WIDTH), compression="gzip")
        data.attrs["batch_size"] = 64
        for number in range(ROWS):
            data.id.write_direct_chunk((number, 0), packed)


def peak_mib(command):
    """Most resident memory of a program, as the system counted it."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)}: failed")
    return usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else ".build/dev/bin/calib"
    worst = 0
    with tempfile.TemporaryDirectory(dir=sys.argv[2] if len(sys.argv) > 2 else None) as folder:
        for name, write in [("contiguous", write_contiguous), ("gzip", write_packed)]:
            path = os.path.join(folder, name + ".h5")
            write(path)
            on_disk = os.stat(path).st_blocks / 2048
            for command in [["stats", path], ["histogram", path, "--tensor", "a"]]:
                mib, seconds = peak_mib([program, *command])
                worst = max(worst, mib)
                print(f"{name:10}  {on_disk:6.0f} MiB on disk  {command[0]:9}  {mib:6.1f} MiB  {seconds:5.1f} s", flush=True)
    sys.exit(0 if worst < MOST_MIB else f"{worst:.0f} MiB is not below {MOST_MIB} MiB")


if __name__ == "__main__":
    main()
