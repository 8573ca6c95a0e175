#!/usr/bin/env python3
"""Picks the expected values that the tests read from a folder of golden tensors.

    pick_peers.py FOLDER > peers_picked.json

FOLDER holds NAME.h5 (a dataset "x" of float32 each) and peers.json, the numbers that other programs and a few
independent lines of NumPy give on them. What is kept of each tensor is what the tests need without reading HDF5: the
counts of its histogram and the order statistics around its percentiles.
"""
import json
import pathlib
import sys

import h5py
import numpy

BINS = 1024


def magnitudes(folder, name):
    with h5py.File(folder / f"{name}.h5") as file:
        return numpy.abs(file["x"][...].astype("f8")).ravel()


def entropy(folder, reference):
    picked = []
    for entry in reference:
        if entry["method"] != "seed_entropy_literal" or entry["result"] is None:
            continue
        if not picked or picked[-1]["input"] != entry["input"]:
            a = magnitudes(folder, entry["input"])
            bin_of = numpy.minimum((a / a.max() * BINS).astype(int), BINS - 1)
            counts = numpy.bincount(bin_of, minlength=BINS)
            picked.append({"input": entry["input"], "high": a.max(), "counts": counts.tolist(), "expected": []})
        settings, result = entry["settings"], entry["result"]
        picked[-1]["expected"].append({
            "first_bin": settings["first_bin"],
            "outliers_in_q": settings["outliers_in_Q"],
            "bin": result["B"],
            "threshold": result["threshold"],
            "kl": result["kl"],
        })
    return picked


def percentiles(folder, results):
    picked = []
    for entry in results:
        if entry["method"] != "percentile_abs_linear":
            continue
        ordered = numpy.sort(magnitudes(folder, entry["input"]))
        alpha = entry["settings"]["percentile"]
        below = int((len(ordered) - 1) * (alpha / 100))
        above = min(below + 1, len(ordered) - 1)
        picked.append({
            "input": entry["input"],
            "values": len(ordered),
            "absmax": ordered[-1],
            "alpha": alpha,
            "orders": [[below, ordered[below]], [above, ordered[above]]],
            "amax": entry["result"]["amax"],
        })
    return picked


def min_max(results):
    return [{"input": entry["input"], **entry["result"]} for entry in results
            if entry["peer"] == "exact" and entry["method"] == "min_max"]


def main():
    folder = pathlib.Path(sys.argv[1])
    peers = json.loads((folder / "peers.json").read_text())
    picked = {
        "about": "made by pick_peers.py; entropy: literal form in NumPy, float64; "
                 f"percentile: numpy.percentile of float64 magnitudes; numpy {numpy.__version__} for counts and orders",
        "entropy": entropy(folder, peers["reference"]),
        "percentile": percentiles(folder, peers["results"]),
        "min_max": min_max(peers["results"]),
    }
    json.dump(picked, sys.stdout, separators=(",", ":"))
    print()


main()
