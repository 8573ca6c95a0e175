import h5py
import numpy as np


def read(file, datasets, batch_axis=None, batch_size=0, batches=None, decode=np.asarray):
    """The recorded batches as float32, each with its samples along axis 0.

    Several datasets follow each other along axis 0. Without a batch axis, or with a batch size of 0, all is one batch.
    """
    with h5py.File(file, "r") as dump, np.errstate(over="ignore"):
        parts = [decode(dump[path][()]).astype("f4") for path in datasets]
    values = parts[0] if len(parts) == 1 else np.concatenate(parts)
    if batch_axis is None:
        return [values]
    values = np.moveaxis(values, batch_axis, 0)
    size = batch_size or len(values)
    return [values[first:first + size] for first in range(0, len(values), size)][:batches]


def finite(batches):
    """The finite values of all batches as float64; everything is computed in double precision."""
    values = np.concatenate([batch.ravel() for batch in batches]).astype("f8")
    return values[np.isfinite(values)]


def show(name, value):
    """A line "name value" with all digits."""
    print(name, int(value) if isinstance(value, (int, np.integer)) else float(value) + 0.0)  # no -0
