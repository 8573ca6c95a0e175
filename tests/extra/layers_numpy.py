#!/usr/bin/python3
"""calib layers against NumPy, on real dumps, and how fast it is.

    layers_numpy.py CALIB DUMP...  [--calibrator min-max] [--weights min-max] [--draws 1000] [--speed]

Scales are those of `calib scales`, rounded to float32; all else is computed here (tests/golden/layer_errors.py). Compares
every layer that can be computed: exact to 1e-9 relative; then, in --draws draws over all layers, seeds and numbers of
positions, how often the exact value lies within the interval. With --speed: sampled against reading the file with h5py,
exact against NumPy's products of the same, each the best of 7 runs by turns.
"""
import argparse
import collections
import csv
import io
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "golden"))
import layer_errors as oracle

FIGURES = ["output_sqnr_db", "output_ac_db", "input_db", "weight_db"]


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def scales_of(text):
    result = {}
    for one in json.loads(text)["outcomes"]:
        high = 2 ** (one["bits"] - 1) - 1
        low = -high if one["scheme"] == "symmetric-restricted" else -high - 1
        channels = one.get("channels") or {key: [one[key]] for key in ("scale", "zero_point")}
        result[one["tensor"]] = ([float(s) for s in channels["scale"]], [float(z or 0) for z in channels["zero_point"]], low, high)
    return result


def numbers(text, word):
    found = re.search(word + r"((?: -?\d+)+)", text)
    return [int(n) for n in found.group(1).split()]


class Dump:
    def __init__(self, path):
        self.file = h5py.File(path)
        self.tensors = {}
        for group in ("activations", "weights"):
            for name, data in self.file[group].items():
                self.tensors[name] = data

    def function(self, row, fast=False):
        text = row["attributes"]
        if row["op"] == "Conv":
            conv = fast_conv if fast else oracle.conv
            strides, pads, dilations = (numbers(text, w) for w in ("strides", "pads", "dilations"))
            group = numbers(text, "group")[0]
            return lambda x, w: conv(x, w, strides, pads, dilations, group)
        if row["op"] == "MatMul":
            return oracle.product
        raise SystemExit("no oracle for " + row["op"])

    def operands(self, row, scales):
        """x, w, y and both quantized."""
        values = [self.tensors[row[k]][...].astype(np.float32) for k in ("input", "weight", "layer")]
        rounded = []
        for name, value in zip((row["input"], row["weight"]), values):
            if name not in scales:
                rounded.append(None)
                continue
            scale, zero, low, high = scales[name]
            axis = int(self.tensors[name].attrs.get("channel_axis", 1))
            rounded.append(oracle.quantized(value, scale, zero, low, high, axis))
        return *values, *rounded


def compare(calib, path, options, draws):
    dump = Dump(path)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as table:
        table.write(run(calib, "scales", path, "--estimate", "--rows", "channel", "--format", "json", *options))
        table.flush()
        scales = scales_of(open(table.name).read())
        exact = rows(run(calib, "layers", path, "--scales", table.name, "--exact"))
        reasons = collections.Counter(re.sub(r"\S*\.\S*", "X", r["notes"]) for r in exact if not r["output_sqnr_db"])
        computed = [r for r in exact if r["output_sqnr_db"]]
        worst = {key: 0.0 for key in FIGURES + ["residual"]}
        large = 0.0
        for row in computed:
            x, w, y, fx, fw = dump.operands(row, scales)
            want, _ = oracle.figures(dump.function(row), x, w, fx, fw, y, 1)
            for key in FIGURES:
                worst[key] = max(worst[key], abs(float(row[key]) / want[key] - 1))
            worst["residual"] = max(worst["residual"], abs(float(row["residual"]) / want["residual"] - 1))
            large = max(large, float(row["residual"]))
            assert int(row["positions"]) == int(row["of"]) == want["positions"], row
        print(f"{path}: {len(computed)} layers, without numbers: {dict(reasons)}")
        print("  largest relative differences", {k: f"{v:.2g}" for k, v in worst.items()}, f"largest residual {large:.2g}")
        assert all(worst[key] <= 1e-9 for key in FIGURES) and worst["residual"] <= 1e-6 and large <= 7e-7
        if draws:
            cover(calib, path, table.name, computed, draws)


def cover(calib, path, table, exact, draws):
    by_name = {row["layer"]: row for row in exact}
    inside, all_of = collections.Counter(), collections.Counter()
    seed = 0
    while sum(all_of.values()) < draws:
        for positions in (64, 256, 1024):
            seed += 1
            for row in rows(run(calib, "layers", path, "--scales", table, "--positions", positions, "--seed", seed)):
                if not row["interval_db"]:
                    continue
                all_of[positions] += 1
                error = abs(float(row["output_sqnr_db"]) - float(by_name[row["layer"]]["output_sqnr_db"]))
                inside[positions] += error <= float(row["interval_db"])
        if not all_of:
            print("  no layer has more positions than are drawn")
            return
    share = sum(inside.values()) / sum(all_of.values())
    print(f"  within the interval: {share:.4f} of {sum(all_of.values())} draws,",
          {n: round(inside[n] / all_of[n], 4) for n in all_of})
    assert share >= 0.93


def fast_conv(x, w, strides, pads, dilations, group):
    """As NumPy does it best: gathered rows times a matrix (OpenBLAS), all groups in one product."""
    rank = x.ndim - 2
    x, w = x.astype(np.float64), w.astype(np.float64)
    x = np.pad(x, [(0, 0), (0, 0)] + [(pads[i], pads[rank + i]) for i in range(rank)])
    reach = [d * (k - 1) + 1 for d, k in zip(dilations, w.shape[2:])]
    windows = np.lib.stride_tricks.sliding_window_view(x, reach, tuple(range(2, 2 + rank)))
    windows = windows[(slice(None), slice(None)) + tuple(slice(None, None, s) for s in strides) +
                      tuple(slice(None, None, d) for d in dilations)]
    places = windows.shape[2:2 + rank]
    order = (0, *range(2, 2 + rank), 1, *range(2 + rank, 2 + 2 * rank))
    rows = windows.transpose(order).reshape(-1, group, w[0].size)
    matrix = w.reshape(group, w.shape[0] // group, -1)
    if matrix.shape[1] == 1:
        y = np.einsum("pgk,gk->pg", rows, matrix[:, 0])
    else:
        y = np.matmul(rows.transpose(1, 0, 2), matrix.transpose(0, 2, 1)).transpose(1, 0, 2).reshape(len(rows), -1)
    return y.reshape(x.shape[0], -1, y.shape[1]), places


def fast_figures(f, x, w, y, fx, fw):
    """What calib layers computes, from four products."""
    plain, _ = f(x, w)
    y = y.reshape(*y.shape[:2], -1).transpose(0, 2, 1).astype(np.float64)
    signal = (y * y).sum()
    ac = ((y - y.mean(axis=(0, 1))) ** 2).sum()
    left = y - plain
    residual = np.sqrt(((left - left.mean(axis=(0, 1))) ** 2).sum() / signal)
    noise = [((f(a, b)[0] - plain) ** 2).sum() for a, b in ((fx, fw), (fx, w), (x, fw))]
    return [10 * np.log10(signal / n) for n in noise] + [10 * np.log10(ac / noise[0]), residual]


def processor_seconds():
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in (own, children))


def best(runs):
    """The least time of each and its least processor time, by turns."""
    times = [([], []) for _ in runs]
    for _ in range(7):
        for place, one in enumerate(runs):
            start, used = time.perf_counter(), processor_seconds()
            one()
            times[place][0].append(time.perf_counter() - start)
            times[place][1].append(processor_seconds() - used)
    return [(min(wall), min(processor)) for wall, processor in times]


def speed(calib, path, options):
    def read():
        with h5py.File(path) as file:
            for group in ("activations", "weights"):
                for data in file[group].values():
                    data[...]

    with tempfile.NamedTemporaryFile("w", suffix=".json") as table:
        table.write(run(calib, "scales", path, "--estimate", "--rows", "channel", "--format", "json", *options))
        table.flush()
        dump = Dump(path)
        scales = scales_of(open(table.name).read())
        computed = [r for r in rows(run(calib, "layers", path, "--scales", table.name)) if r["output_sqnr_db"]]
        work = [(dump.function(row, True), *dump.operands(row, scales)) for row in computed]
        for row, one in zip(computed, work):
            assert abs(fast_figures(*one)[0] / float(row["output_sqnr_db"]) - 1) < 1e-6 or row["interval_db"]

        def in_numpy():
            for one in work:
                fast_figures(*one)

        def everything():
            for row in computed:
                fast_figures(dump.function(row, True), *dump.operands(row, scales))

        runs = {"h5py reads the file": read,
                "calib layers, choices of options": lambda: run(calib, "layers", path, *options),
                "calib layers --scales": lambda: run(calib, "layers", path, "--scales", table.name),
                "calib layers --exact --scales": lambda: run(calib, "layers", path, "--scales", table.name, "--exact"),
                "NumPy reads and computes the same": everything,
                "NumPy computes alone": in_numpy}
        for name, (wall, processor) in zip(runs, best(list(runs.values()))):
            print(f"  {wall:8.3f} s, of processors {processor:8.3f} s  {name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("calib", type=pathlib.Path)
    parser.add_argument("dumps", nargs="+", type=pathlib.Path)
    parser.add_argument("--choice", default="--calibrator min-max", help="options that name the scales")
    parser.add_argument("--draws", type=int, default=0)
    parser.add_argument("--speed", action="store_true")
    given = parser.parse_args()
    options = given.choice.split()
    for path in given.dumps:
        compare(given.calib, path, options, given.draws)
        if given.speed:
            speed(given.calib, path, options)


if __name__ == "__main__":
    main()
