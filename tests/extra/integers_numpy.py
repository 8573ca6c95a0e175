#!/usr/bin/env python3
"""Integers of `calib materialize` against NumPy: integers_numpy.py CALIB DUMP...

For each dump: scales by `calib scales`, integers by `calib materialize`, then q = clip(rint(w / s) + z) in float32,
which is what QuantizeLinear computes; all integers of all weights have to be equal. Then the same with weights that lie
on half steps of their scales, as weights do that were quantized before: there a quotient in double gives others (the
number is told). Scales have to be the table's, rounded to float32.
"""
from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

CHOICE = ["--preset", "rebellions-percentile"]


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")


def table(path: str) -> dict[str, list[float]]:
    """Scales by weight, of each channel where there is one for each."""
    scales: dict[str, list[float]] = {}
    with open(path, encoding="utf-8") as file:
        for outcome in json.load(file)["outcomes"]:
            scales[outcome["tensor"]] = outcome.get("channels", {}).get("scale", [outcome["scale"]])
    return scales


def along(values: np.ndarray, axis: int | None, rank: int) -> np.ndarray:
    return values if axis is None else values.reshape([-1 if place == axis else 1 for place in range(rank)])


def compare(dump: str, quantized: str, scales: str) -> tuple[int, int, int]:
    """Counts of integers, of those that NumPy has otherwise, and of those that a quotient in double has otherwise."""
    count = wrong = in_double = 0
    written = table(scales)
    with h5py.File(dump) as recorded, h5py.File(quantized) as file:
        assert file.attrs["format"] == "calibration-quantized" and file.attrs["format_version"] == 1
        for name, data in file["weights"].items():
            scale, zero = file["scales"][name][()], file["zero_points"][name][()]
            assert data.dtype == np.int8 and scale.dtype == np.float32 and zero.dtype == np.int8
            assert np.array_equal(np.float32(written[name]).reshape(scale.shape), scale), name
            weight = recorded["weights"][name][()].astype(np.float32)
            axis = data.attrs.get("channel_axis")
            low, high = data.attrs["low_level"], data.attrs["high_level"]
            s, z = along(scale, axis, weight.ndim), along(zero, axis, weight.ndim).astype(np.int64)
            with np.errstate(over="ignore"):
                expected = np.clip(np.rint(weight / s), -1e6, 1e6).astype(np.int64) + z
                double = np.clip(np.rint(weight.astype(np.float64) / s.astype(np.float64)), -1e6, 1e6).astype(np.int64) + z
            integers = data[()].astype(np.int64)
            count += integers.size
            wrong += int((np.clip(expected, low, high) != integers).sum())
            in_double += int((np.clip(double, low, high) != integers).sum())
    return count, wrong, in_double


def on_half_steps(dump: str, quantized: str, path: str) -> None:
    """The dump's weights moved to the nearest half step of their scales."""
    with h5py.File(dump) as recorded, h5py.File(quantized) as file, h5py.File(path, "w") as halves:
        halves.attrs["format"] = "calibration-dump"
        for name, data in file["weights"].items():
            weight = recorded["weights"][name][()].astype(np.float32)
            scale = along(file["scales"][name][()], data.attrs.get("channel_axis"), weight.ndim)
            steps = np.floor(weight.astype(np.float64) / scale) + 0.5
            copy = halves.create_dataset(f"weights/{name}", data=(steps * scale).astype(np.float32))
            copy.attrs.update(recorded["weights"][name].attrs)
            for attribute in [key for key in copy.attrs if key.startswith("values_")]:
                del copy.attrs[attribute]


def check(calib: str, dump: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        scales, quantized = os.path.join(folder, "scales.json"), os.path.join(folder, "q.h5")
        run(calib, "scales", dump, *CHOICE, "--estimate", "--rows", "channel", "--format", "json", "--role", "weight", "-o", scales)
        run(calib, "materialize", dump, "--scales", scales, "-o", quantized)
        count, wrong, in_double = compare(dump, quantized, scales)
        print(f"{os.path.basename(dump)}: {count} integers, {wrong} differ; in double {in_double} would")
        halves = os.path.join(folder, os.path.basename(dump))  # the outcomes are of a file of that name
        on_half_steps(dump, quantized, halves)
        half_quantized = os.path.join(folder, "half_q.h5")
        run(calib, "materialize", halves, "--scales", scales, "-o", half_quantized)
        half_count, half_wrong, half_in_double = compare(halves, half_quantized, scales)
        print(f"{os.path.basename(dump)} on half steps: {half_count} integers, {half_wrong} differ; in double "
              f"{half_in_double} would")
        return wrong == 0 and half_wrong == 0 and count > 0


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    return 0 if all([check(sys.argv[1], dump) for dump in sys.argv[2:]]) else 1


if __name__ == "__main__":
    sys.exit(main())
