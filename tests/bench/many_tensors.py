#!/usr/bin/env python3
"""many_tensors.py FILE [N]: a dump of N (20000) small activations named block0, block1, ..., each of its own spread,
each made of the one before.

What sorted_list_bench opens.
"""
import sys

import h5py
import numpy as np

path, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20000
rng = np.random.default_rng(1)
with h5py.File(path, "w") as file:
    file.attrs["format"] = "calibration-dump"
    file.attrs["format_version"] = 1
    activations = file.create_group("activations")
    for number in range(count):
        values = rng.standard_normal((4, 64)) * 10.0 ** rng.uniform(-1.0, 1.0)
        values *= 1.0 + 20.0 * rng.random() * (rng.random(values.shape) < 0.01)
        attributes = activations.create_dataset(f"block{number}", data=values.astype("f4")).attrs
        attributes["batch_size"] = 4
        attributes["op_type"] = "Relu"
        attributes["inputs"] = [f"block{number - 1}" if number else "x"]
