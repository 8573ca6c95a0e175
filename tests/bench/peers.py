"""How fast the engine is beside what one would write in Python: see run.sh.

Every case runs by turns, ours and the peer's, on the same data in one run, and the medians of the ratios are shown: of the
time that passed, and of the processors' time (of all threads together), which does not grow where others use the machine.
Ours must come to the peer's result, or the case is marked "differs".
"""

import argparse
import collections
import csv
import math
import os
import resource
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

try:
    import torch
except ImportError:
    torch = None

LEVELS = 128
BINS = 2048
FINER_BINS = 8192
L2_ROWS = 256
KERNELS = {"half", "statistics", "histogram", "percentile", "l2", "mxfp4", "int4-g128"}  # work that instruction sets decide on


def relu(values, seed):
    return np.maximum(np.random.default_rng(seed).normal(size=values).astype("f4"), 0)


def write_data(path, mib):
    """One tensor of that size in each storage, and as float16."""
    values = relu(mib << 18, 1).reshape(-1, 1 << 18)
    chunk = (1, 1 << 18)
    with h5py.File(path, "w") as file:
        file.create_dataset("plain", data=values)
        file.create_dataset("gzip", data=values, chunks=chunk, compression="gzip", shuffle=True)
        file.create_dataset("lzf", data=values, chunks=chunk, compression="lzf", shuffle=True)
        file.create_dataset("half", data=values.astype("f2"))
        weights = np.random.default_rng(2).normal(size=values.shape).astype("f4")
        file.create_dataset("weights", data=weights.reshape(-1, 4096))
    return values.reshape(-1)


def write_job(path, mib, packed):
    """A network's dump: two activations of 16 MiB to one weight of 8 MiB, each tensor with values of its own."""
    options = {"compression": "gzip", "shuffle": True} if packed else {}
    activation = relu(32 * 8 * 128 * 128, 10).reshape(32, 8, 128, 128)
    weight = np.random.default_rng(30).normal(size=(1024, 2048)).astype("f4")
    with h5py.File(path, "w") as file:
        for index in range(max(mib // 40, 1)):
            for place in (2 * index, 2 * index + 1):
                data = np.roll(activation, 12345 * place) * np.float32(1 + 0.01 * place)
                file.create_dataset(f"activations/a{place}", data=data, chunks=(8, 8, 128, 128) if packed else None, **options)
            data = np.roll(weight, 54321 * index) * np.float32(0.01 + 0.001 * index)
            file.create_dataset(f"weights/w{index}", data=data, chunks=(256, 2048) if packed else None, **options)


class Ours:
    """The bench program, which does one piece of work for each line, with one instruction set."""

    def __init__(self, programs, path, target):
        self.process = subprocess.Popen([os.path.join(programs, "speed_bench"), path, target], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def processor_seconds(self):
        tasks = f"/proc/{self.process.pid}/task"
        total = 0
        for task in os.listdir(tasks):
            with open(f"{tasks}/{task}/schedstat") as file:
                total += int(file.read().split()[0])
        return total / 1e9

    def run(self, work):
        """Seconds that passed, seconds of processors, result."""
        begin = self.processor_seconds()
        self.process.stdin.write(work + "\n")
        self.process.stdin.flush()
        seconds, result = self.process.stdout.readline().split()
        return np.array([float(seconds), self.processor_seconds() - begin]), float(result)


def processor_seconds():
    """Of this process and those that it waited for."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def timed(work):
    begin = np.array([time.perf_counter(), processor_seconds()])
    result = work()
    return np.array([time.perf_counter(), processor_seconds()]) - begin, result


def six_statistics(x):
    zeros = np.count_nonzero(x == 0)
    return x.min(), x.max(), np.square(x, dtype="f8").sum(), np.isnan(x).sum(), zeros, float(x.sum(dtype="f8"))


def entropy_bin(counts):
    """TensorRT's search as pytorch-quantization has it, candidate by candidate, levels by the bins' centres."""
    best, chosen = np.inf, None
    total = counts.sum()
    for last in range(LEVELS - 1, len(counts)):
        p = counts[: last + 1].astype("f8")
        p[-1] += counts[last + 1:].sum()
        level = (2 * np.arange(last + 1) + 1) * LEVELS // (2 * last + 1)
        level[-1] = min(level[-1], LEVELS - 1)
        filled = p > 0
        sums = np.bincount(level, p, LEVELS)
        bins = np.bincount(level, filled, LEVELS)
        q = np.zeros_like(p)
        q[filled] = sums[level[filled]] / bins[level[filled]]
        divergence = np.sum(p[filled] / total * np.log(p[filled] / q[filled]))
        if divergence < best:
            best, chosen = divergence, last
    return float(chosen)


def entropy_bin_in_loops(counts):
    """The same without NumPy, bin by bin."""
    counts = counts.tolist()
    best, chosen = math.inf, None
    total = sum(counts)
    for last in range(LEVELS - 1, len(counts)):
        p = counts[: last + 1]
        p[-1] += sum(counts[last + 1:])
        level = [(2 * index + 1) * LEVELS // (2 * last + 1) for index in range(last + 1)]
        level[-1] = min(level[-1], LEVELS - 1)
        sums, bins = [0] * LEVELS, [0] * LEVELS
        for index, count in enumerate(p):
            if count > 0:
                sums[level[index]] += count
                bins[level[index]] += 1
        divergence = 0.0
        for index, count in enumerate(p):
            if count > 0:
                q = sums[level[index]] / bins[level[index]]
                divergence += count / total * math.log(count / q)
        if divergence < best:
            best, chosen = divergence, last
    return float(chosen)


def entropy_bin_in_array_loops(counts):
    """Loops over arrays, statement by statement as in pytorch-quantization's _compute_amax_entropy (levels by centre)."""
    best, chosen = np.inf, None
    for last in range(LEVELS - 1, len(counts)):
        p = counts[: last + 1].astype("f8")
        p[-1] += counts[last + 1:].sum()
        level = (2 * np.arange(last + 1) + 1) * LEVELS // (2 * last + 1)
        level[-1] = min(level[-1], LEVELS - 1)
        level[p == 0] = -1
        sums = np.zeros(LEVELS)
        for index, digitized in enumerate(level):
            if digitized != -1:
                sums[digitized] += p[index]
        for key, value in collections.Counter(level).items():
            if key != -1:
                sums[key] = sums[key] / value
        q = np.zeros(last + 1)
        for index, digitized in enumerate(level):
            if digitized != -1:
                q[index] = sums[digitized]
        p, q = p / p.sum(), q / q.sum()
        divergence = np.sum(p[p > 0] * np.log(p[p > 0] / q[p > 0]))
        if divergence < best:
            best, chosen = divergence, last
    return float(chosen)


def mse_threshold(counts, width):
    centres = (np.arange(len(counts)) + 0.5) * width
    best, chosen = np.inf, None
    for bins in range(1, len(counts) + 1):
        scale = bins * width / 127
        quantized = np.clip(np.rint(centres / scale), -127, 127) * scale
        error = np.sum(counts * (centres - quantized) ** 2)
        if error < best:
            best, chosen = error, bins * width
    return float(chosen)


def l2_scales(rows, updates=16):
    """Scales of rows after that many updates from the largest magnitude, summed as float32."""
    scale = np.abs(rows).max(axis=1, keepdims=True) / 127
    for _ in range(updates):
        z = np.clip(np.rint(rows / scale), -127, 127)
        scale = ((rows * z).sum(axis=1) / np.square(z).sum(axis=1))[:, None]
    return float(scale.astype("f4").sum(dtype="f8"))


def block_noise(rows, group, encode):
    """Squared errors of a number format with scales for groups, its other sums computed as ours are."""
    blocks = rows.reshape(-1, group)
    decoded = encode(blocks, np.abs(blocks).max(axis=1, keepdims=True))
    x, y = blocks.astype("f8"), decoded.astype("f8")
    error = x - y
    return float(np.square(error).sum()), np.square(x).sum(), np.square(y).sum(), (x * y).sum(), np.abs(error).max(), \
        np.count_nonzero(y == 0)


def mxfp4(blocks, largest):
    """As microxcaling quantizes: exponents by floor, elements by theirs, half to even."""
    scale = np.exp2(np.floor(np.log2(largest)) - 2).astype("f4")
    quotient = blocks / scale
    step = np.exp2(np.maximum(np.floor(np.log2(np.abs(quotient) + (quotient == 0))), 0) - 1).astype("f4")
    return np.clip(np.rint(quotient / step) * step, -6, 6) * scale


def int4(blocks, largest):
    scale = largest / np.float32(7)
    return np.clip(np.rint(blocks / scale), -8, 7) * scale


def gram_trace(rows, tokens=1024):
    x = rows[:tokens].astype("f8")
    return float(np.trace(x.T @ x))  # the same BLAS call


def cases(path, values):
    """Name, work of ours, the peer's, what it must reach, rounds at most."""
    file = h5py.File(path, "r")
    magnitudes = np.abs(values)
    largest = float(magnitudes.max())
    counts = np.histogram(magnitudes, BINS, (0, largest))[0]
    rows = file["weights"][...]
    few = rows[:L2_ROWS].astype("f8")
    yield "gzip+shuffle float32 read and scanned, h5py", "gzip", lambda: float(file["gzip"][...].max()), 3.5, 9
    yield "LZF+shuffle float32 read and scanned, h5py", "lzf", lambda: float(file["lzf"][...].max()), 2, 9
    yield "contiguous float32 read and scanned, h5py", "plain", lambda: float(file["plain"][...].max()), None, 9
    yield ("float16 read to float32, h5py + astype", "half",
           lambda: float(file["half"][...].astype("f4").max()), 10, 9)
    yield "float16 read to float32, H5Dread's conversion", "half", lambda: float(file["half"].astype("f4")[...].max()), 100, 3
    yield "six statistics (ours: four moments too), NumPy", "statistics", lambda: six_statistics(values)[-1], 15, 9
    yield (f"{BINS}-bin histogram, numpy.histogram", "histogram",
           lambda: float(np.histogram(magnitudes, BINS, (0, largest))[0][1]), 10, 9)
    if torch:
        tensor = torch.from_numpy(magnitudes)
        yield (f"{BINS}-bin histogram, torch.histc", "histogram",
               lambda: float(torch.histc(tensor, BINS, 0, largest)[1]), 10, 9)
    yield ("percentile 99.999, numpy.percentile of float32", "percentile",
           lambda: float(np.percentile(magnitudes, 99.999)), 25, 5)
    yield f"KL search, {BINS} bins, NumPy candidate by candidate", "kl", lambda: entropy_bin(counts), None, 3
    yield f"KL search, {BINS} bins, Python in loops over lists", "kl", lambda: entropy_bin_in_loops(counts), None, 1
    yield f"KL search, {BINS} bins, pytorch-quantization's loops", "kl", lambda: entropy_bin_in_array_loops(counts), 1000, 1
    yield f"MSE sweep, {BINS} thresholds, NumPy", "mse", lambda: mse_threshold(counts, largest / BINS), 40, 5
    finer = np.histogram(magnitudes, FINER_BINS, (0, largest))[0]
    yield f"KL search, {FINER_BINS} bins, NumPy candidate by candidate", "kl finer", lambda: entropy_bin(finer), None, 1
    yield (f"MSE sweep, {FINER_BINS} thresholds, NumPy", "mse finer",
           lambda: mse_threshold(finer, largest / FINER_BINS), 40, 1)
    share = len(few) / len(rows)
    yield "mxfp4, encoded and its errors, NumPy as microxcaling", "mxfp4", lambda: block_noise(rows, 32, mxfp4)[0], 20, 3
    yield "int4-g128, encoded and its errors, NumPy", "int4-g128", lambda: block_noise(rows, 128, int4)[0], 20, 3
    yield "X^T X of 1024 rows of 4096, NumPy's dsyrk", "gram", lambda: gram_trace(rows), 0.5, 3
    yield "L2, an update of a row of 4096 normal values, NumPy", "l2", lambda: (l2_scales(few), share), 12, 5


def compared(ours, work, peer, rounds):
    ratios, own, others, is_same = [], [], [], True
    for _ in range(rounds):
        seconds, result = ours.run(work)
        peer_seconds, expected = timed(peer)
        if isinstance(expected, tuple):  # of a share of the data only
            expected, share = expected
            peer_seconds /= share
        if abs(result - expected) > 1e-6 * abs(expected):
            is_same = False
        own.append(seconds)
        others.append(peer_seconds)
        ratios.append(peer_seconds / seconds)
    return np.median(ratios, axis=0), np.median(own, axis=0), np.median(others, axis=0), is_same


def read_once(path):
    with h5py.File(path, "r") as file:
        names = []
        file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
        for name in names:
            file[name][...]


def peak_mib(command):
    """Most resident memory, started by a small process: what the one that starts it had counts, too."""
    measure = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True);" \
              "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    return int(subprocess.check_output([sys.executable, "-c", measure, *command])) / 1024


def whole_job(programs, path, rounds):
    """The time of `calib scales` over that of reading all tensors once with h5py, and the most memory in MiB."""
    histogram_search = "mse:bins=512,growth=redistribute"
    scales = [os.path.join(programs, "calib"), "scales", path, "--estimate", "--rows", "tensor", "-o", path + ".csv"]
    jobs = [[*scales, "--role", "activation", "--scheme", "symmetric-full", "--calibrator", "percentile",
             "--calibrator", "entropy", "--calibrator", histogram_search],
            [*scales, "--role", "weight", "--granularity", "channel", "--calibrator", "min-max", "--calibrator", "l2"]]
    with open(path, "rb") as file:  # into the page cache
        while file.read(1 << 24):
            pass
    ratios, own, others = [], [], []
    for _ in range(rounds):
        seconds = sum(timed(lambda job=job: subprocess.run(job, check=True))[0] for job in jobs)
        read = timed(lambda: read_once(path))[0]
        ratios.append(seconds / read)
        own.append(seconds)
        others.append(read)
    print(f"whole job: {max(peak_mib(job) for job in jobs):.0f} MiB at most", file=sys.stderr)
    return np.median(ratios, axis=0), np.median(own, axis=0), np.median(others, axis=0), True


def main():
    parser = argparse.ArgumentParser(prog="run.sh")
    parser.add_argument("programs")
    parser.add_argument("-o", "--output", default="speed.csv")
    parser.add_argument("--mib", type=int, default=64, help="size of a tensor")
    parser.add_argument("--job-mib", type=int, default=800, help="size of a whole job's dump")
    parser.add_argument("--rounds", type=int, default=9, help="at most")
    parser.add_argument("--only", default="", help="cases whose name holds this text")
    options = parser.parse_args()
    rows = []

    def show(name, found, aim, unit):
        ratio, own, other, is_same = found
        wanted = "" if aim is None else f"{unit} {aim:g}"
        outcome = "same" if is_same else "differs"
        rows.append([name, f"{ratio[0]:.3g}", f"{ratio[1]:.3g}", wanted, f"{own[1] * 1e3:.3f}", f"{other[1] * 1e3:.3f}",
                     outcome])
        print(f"{name:62}{ratio[0]:9.3g}{ratio[1]:9.3g}  {wanted:13}{own[1] * 1e3:10.2f}{other[1] * 1e3:10.2f}  {outcome}",
              flush=True)

    print(f"{'':62}{'time':>9}{'CPU':>9}  {'aim':13}{'ours ms':>10}{'peer ms':>10}  (CPU)")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "data.h5")
        values = write_data(path, options.mib)
        targets = subprocess.check_output([os.path.join(options.programs, "speed_bench")], text=True).split()
        ours = {target: Ours(options.programs, path, target) for target in targets}
        print(f"instruction set: {targets[0]}; rows of kernels for {', '.join(targets)}", flush=True)
        for name, work, peer, aim, most in cases(path, values):
            if options.only not in name:
                continue
            for target in targets if work in KERNELS else targets[:1]:
                title = f"{name} [{target}]" if work in KERNELS else name
                show(title, compared(ours[target], work, peer, min(most, options.rounds)), aim, "at least")
        for one in ours.values():
            one.process.stdin.close()
        for packed, aim in [(False, 3), (True, 0.45)]:
            name = "whole job over h5py reading once, " + ("gzip" if packed else "contiguous")
            if options.only not in name:
                continue
            job = os.path.join(folder, "job.h5")
            write_job(job, options.job_mib, packed)
            show(name, whole_job(options.programs, job, min(3, options.rounds)), aim, "at most")
    with open(options.output, "w", newline="") as output:
        writer = csv.writer(output)
        writer.writerow(["what", "ratio", "ratio_cpu", "aim", "ours_cpu_ms", "peer_cpu_ms", "result"])
        writer.writerows(rows)
    print(f"written to {options.output}", file=sys.stderr)


if __name__ == "__main__":
    main()
