#!/usr/bin/env python3
"""Curves, bands and held-out errors with NumPy alone, as resources/docs/samples.md defines them.

make_studies.py DUMP > studies.json: for min-max and percentiles, each a list of numbers that
`calib samples DUMP --held-out 4 --exact` has to give. studies.json beside it is that of the bundled
sample (NumPy 1.24)."""
import json
import math
import sys

import h5py
import numpy as np

MASK = (1 << 64) - 1
PARTS = 4
RESAMPLES = 200
SEED = 1


def mixed(state):
    state = (state + 0x9E3779B97F4A7C15) & MASK
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & MASK
    return state ^ (state >> 31)


def drawn(count, draw, units):
    key = mixed((mixed((mixed(SEED) + count) & MASK) + draw) & MASK)
    return [mixed((key + place) & MASK) % units for place in range(count)]


def student_point(freedom):
    """97.5 % of Student's t, by Simpson's rule and bisection; that of 1 and 2 up to the next one."""
    if freedom < 3:
        return 4.303 if freedom >= 2 else 12.706
    factor = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)
    low, high = 1.9, 13.0
    for _ in range(40):
        middle = (low + high) / 2
        grid = np.linspace(0.0, middle, 20001)
        density = factor * (1 + grid * grid / freedom) ** (-(freedom + 1) / 2)
        weights = np.ones(grid.size)
        weights[1:-1:2], weights[2:-1:2] = 4, 2
        below = 0.5 + (weights * density).sum() * (grid[1] - grid[0]) / 3
        low, high = (middle, high) if below < 0.975 else (low, middle)
    return low


def band(thresholds, units):
    point = math.sqrt(units / (units - 1)) * student_point(units - 1)
    share = 0.5 * math.erfc(point / math.sqrt(2))
    place = max(int((len(thresholds) + 1) * share), 1) - 1
    ordered = sorted(thresholds)
    return ordered[place], ordered[-1 - place]


def widened(low, high, threshold, results, own):
    """The band, with what neighbours that are alike and the scatter of units hide from resamples."""
    logs = np.log(own)
    runs = len(logs)
    off = logs - logs.mean()
    deviation = logs.std(ddof=1)
    found = (off[1:] * off[:-1]).sum() / (off * off).sum() if deviation > 1e-9 else 0.0
    correlation = min(max((found + 1 / runs) / (1 - 3 / runs), 0.0), 0.95) if deviation > 1e-9 else 0.0
    independent = float(runs)
    if found > 1.645 / math.sqrt(runs) - 1 / runs:
        independent = max(runs * (1 - correlation) / (1 + correlation), 2.0)
    stretch = math.sqrt(runs / independent)
    low, high = (threshold * (end / threshold) ** stretch for end in (low, high))
    v = max(independent - 1, 5.0)
    chi = (1 - 2 / (9 * v) - 1.959963984540054 * math.sqrt(2 / (9 * v))) ** 3
    followed = min(1.0, np.log(results).std(ddof=1) * math.sqrt(runs) / deviation) if deviation else 0.0
    excess = max(math.log(threshold) - logs.mean(), 0.0) * (1 / chi - 1) * followed
    high = threshold * math.exp(math.hypot(max(math.log(high / threshold), 0.0), excess))
    return low, high, correlation, independent


def sqnr(values, scales):
    """Of pairs of values and scales."""
    signal = noise = 0.0
    for part, scale in zip(values, scales):
        part = part.astype(np.float64)
        scale = scale or 1.0  # of nothing but zeros
        signal += (part * part).sum()
        error = part - scale * np.clip(np.rint(part / scale), -127, 127)
        noise += (error * error).sum()
    return 10 * math.log10(signal / noise) if noise > 0 else math.inf


def curve_points(count):
    if count <= 32:
        return list(range(1, count + 1))
    spread = [math.floor(8 * (count / 8) ** (point / 24) + 0.5) for point in range(1, 24)]
    return sorted({*range(1, 9), *spread, count})


def study(units, threshold_of):
    count = len(units)
    of = lambda chosen: threshold_of(np.concatenate([units[unit] for unit in chosen]))
    recorded = list(range(count))
    curve = [of(recorded[:point]) for point in curve_points(count)]
    whole = of(recorded)
    reach = sum(np.abs(unit).max() >= whole for unit in units)
    result = {"units": count, "threshold": whole, "curve": curve}
    result["curve_sqnr_db"] = [sqnr(units, [threshold / 127] * count) for threshold in curve]
    if count >= 6:
        own = [threshold_of(unit) for unit in units]  # of at most 64 units
        results = [of(drawn(count, draw, count)) for draw in range(RESAMPLES)]
        # Student's tails of the independent units: known before the band.
        independent = widened(whole, whole, whole, results, own)[3]
        low, high = band(results, independent)
        low, high, result["correlation"], result["independent_units"] = widened(low, high, whole, results, own)
        result["threshold_low"] = low
        if reach >= 6:
            result["threshold_high"] = high
    scales = []
    for part in range(PARTS):
        first, end = part * count // PARTS, (part + 1) * count // PARTS
        scales += [of(recorded[:first] + recorded[end:]) / 127] * (end - first)
    result["held_out_sqnr_db"] = sqnr(units, scales)
    result["seen_sqnr_db"] = sqnr(units, [whole / 127] * count)
    return result


def percentile(alpha):
    return lambda values: float(np.percentile(np.abs(values).astype(np.float64), alpha))


CANDIDATES = {
    "min-max": lambda values: float(np.abs(values).max()),
    "percentile:alpha=99.999": percentile(99.999),
    "percentile:alpha=99": percentile(99),
}


def main(path):
    found = []
    with h5py.File(path) as file:
        for name, dataset in sorted(file["activations"].items()):
            values = dataset[...]
            size = int(dataset.attrs["batch_size"])
            batches = -(-len(values) // size)
            samples = [sample.ravel() for sample in values]
            if batches >= 6:
                units = [values[first : first + size].ravel() for first in range(0, len(values), size)]
            else:
                units = samples
            for candidate, threshold_of in CANDIDATES.items():
                found.append({"tensor": name, "candidate": candidate, **study(units, threshold_of)})
    print("[" + ",\n".join(json.dumps(entry) for entry in found) + "]")


main(sys.argv[1])
