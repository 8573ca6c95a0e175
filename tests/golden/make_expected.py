#!/usr/bin/env python3
"""Expected statistics of dumps, by NumPy: the numbers that the tests compare ours with.

make_expected.py                 writes copies.h5, not_finite.h5 and expected_*.json of the files in this folder and of the sample
make_expected.py FOLDER OUT      writes OUT/expected_*.json for every .h5 file in FOLDER

For each tensor: flat indices of the first NaN and infinity; of the finite values count, zeros, min, max, mean, std (of
the population), kurtosis (excess, null for a constant) and percentiles of |x| and of x, all from float64 values of the
float32 ones. Python writes doubles so that they read back exactly.
Committed files were made with Debian 12's python3-numpy 1.24.2 and python3-h5py 3.7.0 (/usr/bin/python3).
"""
import json
import pathlib
import sys

import h5py
import numpy

HERE = pathlib.Path(__file__).resolve().parent
SAMPLE = HERE.parent.parent / "resources" / "sample" / "sample.h5"
COPIED = "weights/conv2d_169.w_0"  # 6000 values, 48 of them zero, a channel of about 1e-15
PERCENTILES = [0, 12.5, 50, 99, 99.9, 99.99, 99.999, 100]
SIGNED_PERCENTILES = [0, 0.001, 0.1, 12.5, 50, 87.5, 99.9, 99.999, 100]


def kurtosis(x):
    distance = x - x.mean()
    m2 = (distance**2).mean()
    return (distance**4).mean() / m2**2 - 3 if m2 > 0 else None


def first(flags):
    return int(flags.argmax()) if flags.any() else None


def expected(values):
    with numpy.errstate(over="ignore"):
        all_values = values.astype("f4").astype("f8").ravel()
    x = all_values[numpy.isfinite(all_values)]
    return {
        "first_nan": first(numpy.isnan(all_values)),
        "first_inf": first(numpy.isinf(all_values)),
        "count": x.size,
        "zeros": int((x == 0).sum()),
        "min": x.min() + 0.0,
        "max": x.max() + 0.0,
        "mean": x.mean(),
        "std": x.std(),
        "kurtosis": kurtosis(x),
        "percentiles": {str(alpha): numpy.percentile(abs(x), alpha) for alpha in PERCENTILES},
        "signed_percentiles": {str(alpha): numpy.percentile(x, alpha) for alpha in SIGNED_PERCENTILES},
    }


def write_expected(dump, folder):
    tensors = {}

    def add(name, item):
        if isinstance(item, h5py.Dataset) and item.dtype.kind == "f" and item.size:
            tensors["/" + name] = expected(item[()])

    with h5py.File(dump, "r") as file:
        file.visititems(add)
    path = folder / f"expected_{dump.stem}.json"
    path.write_text(json.dumps({"numpy": numpy.__version__, "tensors": tensors}, indent=1) + "\n")
    print(f"{path}: {len(tensors)} tensors")


def write_copies(path):
    """One tensor in the element types and storages that the dumps do not have."""
    with h5py.File(SAMPLE, "r") as sample:
        values = sample[COPIED][()]
    with h5py.File(path, "w") as file:
        chunks = (16,) + values.shape[1:]
        file.create_dataset("contiguous", data=values)
        file.create_dataset("gzip_shuffle", data=values, chunks=chunks, compression="gzip", shuffle=True)
        file.create_dataset("float16", data=values.astype("f2"))
        file.create_dataset("float16_gzip_shuffle", data=values.astype("f2"), chunks=chunks, compression="gzip",
                            shuffle=True)
        file.create_dataset("float64", data=values.astype("f8") / 3)
        file.create_dataset("big_endian", data=values.astype(">f4"), chunks=chunks, fletcher32=True)


def write_not_finite(path):
    """The same tensor with NaN and infinities: early and late, of one kind alone, and by rounding to float32."""
    with h5py.File(SAMPLE, "r") as sample:
        values = sample[COPIED][()]
    with h5py.File(path, "w") as file:
        both = values.copy()
        both.flat[[1234, 4000, 5999]] = numpy.nan
        both.flat[[4001, 4002]] = [-numpy.inf, numpy.inf]
        data = file.create_dataset("activations/both", data=both, chunks=(7,) + both.shape[1:], compression="gzip")
        data.attrs.update(batch_size=7, channel_axis=1)
        only_nan = values.astype("f2")
        only_nan.flat[0] = numpy.nan
        file.create_dataset("only_nan", data=only_nan)
        beyond_float32 = values.astype("f8")
        beyond_float32.flat[-1] = -1e300
        file.create_dataset("beyond_float32", data=beyond_float32)


def main(arguments):
    if len(arguments) == 2:
        folder, out = map(pathlib.Path, arguments)
        for dump in sorted(folder.glob("*.h5")):
            write_expected(dump, out)
    elif not arguments:
        write_copies(HERE / "copies.h5")
        write_not_finite(HERE / "not_finite.h5")
        for dump in [*sorted(HERE.glob("*.h5")), SAMPLE]:
            write_expected(dump, HERE)
    else:
        sys.exit(__doc__)


main(sys.argv[1:])
