#!/usr/bin/env python3
"""Entropy thresholds of the sample's tensors, from the definition in NumPy: every trial bin by bin, no prefix sums.

    make_entropy.py > entropy.json

For each tensor, read in its batches, and for each way to treat the first bin, the outliers and the empty bins: the
best trial B (the first of the least), its threshold and its divergence in nats; null where no trial is finite.
Committed numbers were made with Debian 12's python3-numpy 1.24.2 and python3-h5py 3.7.0 (/usr/bin/python3).
"""
import json
import pathlib

import h5py
import numpy

SAMPLE = pathlib.Path(__file__).resolve().parent.parent.parent / "resources" / "sample" / "sample.h5"
LEVELS = 127
BINS = 1024


def doubled_histogram(batches):
    """Bins of |x| over the range of the first batch; a larger value doubles their number, their width stays."""
    width = abs(batches[0]).max() / BINS
    counts = numpy.zeros(BINS, int)
    for batch in batches:
        while abs(batch).max() > width * len(counts):
            counts = numpy.append(counts, numpy.zeros(len(counts), int))
        places = numpy.floor(abs(batch) / width).astype(int)
        counts = counts + numpy.bincount(numpy.minimum(places, len(counts) - 1).ravel(), minlength=len(counts))
    return counts, width


def divergence(counts, trial, outliers_in_q, over_all):
    inside = counts[: trial + 1].astype("f8")
    p = inside.copy()
    p[trial] += counts[trial + 1 :].sum()
    source = p if outliers_in_q else inside
    if not source.any():
        return numpy.inf
    level_of = numpy.minimum((2 * numpy.arange(trial + 1) + 1) * LEVELS // (2 * trial + 1), LEVELS - 1)
    takes = numpy.ones(trial + 1, bool) if over_all else source > 0
    q = numpy.zeros(trial + 1)
    sums = numpy.bincount(level_of, source, LEVELS)
    takers = numpy.bincount(level_of, takes, LEVELS)
    q[takes] = sums[level_of[takes]] / takers[level_of[takes]]
    p, q = p / p.sum(), q / q.sum()
    filled = p > 0
    if (q[filled] == 0).any():
        return numpy.inf
    return float((p[filled] * numpy.log(p[filled] / q[filled])).sum())


def best(counts, width, largest, first_bin, outliers_in_q, over_all):
    counts = counts.copy()
    if first_bin == "discarded":
        counts[0] = 0
    last = min(int(largest / width), len(counts) - 1)
    curve = [divergence(counts, trial, outliers_in_q, over_all) for trial in range(LEVELS, last + 1)]
    if not numpy.isfinite(curve).any():
        return None
    index = int(numpy.argmin(curve))
    second = min((abs(d - curve[index]) for d in curve[:index] + curve[index + 1 :]), default=numpy.inf)
    return {
        "B": index + LEVELS,
        "threshold": (index + LEVELS + 0.5) * width,
        "kl": curve[index],
        "is_tie": bool(second < 1e-12),
    }


def entries():
    with h5py.File(SAMPLE, "r") as dump:
        for role in ("activations", "weights"):
            for name, dataset in sorted(dump[role].items()):
                values = dataset[()].astype("f8")
                size = int(dataset.attrs.get("batch_size", len(values)))
                counts, width = doubled_histogram([values[i : i + size] for i in range(0, len(values), size)])
                for first_bin in ("counted", "discarded"):
                    for outliers_in_q in (True, False):
                        for empty_bins in ("all", "spread"):
                            result = best(
                                counts, width, abs(values).max(), first_bin, outliers_in_q, empty_bins == "all"
                            )
                            yield {
                                "tensor": name,
                                "first-bin": first_bin,
                                "outliers-in-q": "yes" if outliers_in_q else "no",
                                "empty-bins": empty_bins,
                                "result": result,
                            }


print("[\n" + ",\n".join(json.dumps(entry) for entry in entries()) + "\n]")
