#!/usr/bin/env python3
"""Writes inputs.h5: the tensors that the entries `non_finite` of ../peers.json were made on.

Their recipe is not recorded there. default_rng(401) gives exactly the value of "single", the least and greatest value
that Glow reports and the least magnitude that NumPy's error message names, so it is this generator's first 4096 normal
values; which of them was replaced is not known and changes none of the expected numbers.
"""
import pathlib

import h5py
import numpy

values = numpy.random.default_rng(401).standard_normal(4096).astype(numpy.float32)
assert values[0] == numpy.float32(-0.84733516)
assert values.min() == numpy.float32(-3.31503296) and values.max() == numpy.float32(3.4969492)
REPLACED = 100

with h5py.File(pathlib.Path(__file__).resolve().parent / "inputs.h5", "w", track_order=False) as file:
    def write(name, tensor):
        file.create_dataset(name, data=tensor, compression="gzip" if len(tensor) > 1 else None,
                            shuffle=len(tensor) > 1 or None)
    for name, value in (("one_nan", numpy.nan), ("one_inf", numpy.inf)):
        tensor = values.copy()
        tensor[REPLACED] = value
        write(name, tensor)
    write("single", values[:1])
