#!/usr/bin/python3
"""A dump with masks, and what NumPy finds of the positions that count: masked.h5, masked.json.

    make_masked.py FOLDER
"""
import json
import pathlib
import sys

import h5py
import numpy as np

import layer_errors as oracle

random = np.random.default_rng(23)
LENGTHS = [6, 4, 1, 5]
LEVELS = 127


def values(*shape):
    return (random.standard_t(4, shape) * np.exp(random.normal(0, 0.5, shape[-1:]))).astype(np.float16).astype(np.float32)


def percentile(magnitudes, alpha):
    return float(np.percentile(magnitudes.astype(np.float64), alpha))


def rounded(x, scale):
    return np.clip(np.rint(x.astype(np.float64) / scale), -LEVELS, LEVELS) * scale


def figures(x, mask, channel_axis):
    """Of the values that count; a mask has as many axes as x, of its length or 1."""
    full = np.broadcast_to(mask != 0, x.shape)
    own = x[full].astype(np.float64)
    channels = [np.abs(x.take(c, channel_axis)[full.take(c, channel_axis)]).max(initial=0) / LEVELS
                for c in range(x.shape[channel_axis])]
    scale = np.abs(own).max() / LEVELS
    error = rounded(own, scale) - own
    counts, _ = np.histogram(np.abs(own), bins=16, range=(0, np.abs(own).max()))
    return dict(values=int(own.size), min=own.min(), max=own.max(), mean=own.mean(), std=own.std(),
                p50=percentile(np.abs(own), 50), p99=percentile(np.abs(own), 99), histogram=counts.tolist(), scale=scale,
                channel_scales=[float(c) for c in channels], mse=float((error**2).mean()),
                sqnr_db=float(10 * np.log10((own**2).sum() / (error**2).sum())),
                samples=[[int(f.sum()), float(np.abs(s[f]).max(initial=0))] for s, f in zip(x, full)])


def block_figures(x, mask, length):
    """Blocks of neighbours along the last axis, int8 with a float32 scale; absent values are in none."""
    full = np.broadcast_to(mask != 0, x.shape).reshape(-1, length)
    signal = noise = 0.0
    blocks = 0
    for block, counted in zip(x.reshape(-1, length), full):
        own = block[counted]
        if own.size == 0:
            continue
        blocks += 1
        scale = np.float32(np.abs(own).max() / np.float32(LEVELS))
        decoded = (np.clip(np.rint(own / scale), -LEVELS, LEVELS).astype(np.float32) * scale).astype(np.float64)
        signal += (own.astype(np.float64)**2).sum()
        noise += ((decoded - own)**2).sum()
    return dict(blocks=blocks, values=int(full.sum()), sqnr_db=float(10 * np.log10(signal / noise)))


def layer_figures(x, w, y, mask, x_scale, w_scales):
    """Output's SQNR in dB under one scale of the input and one for each of the weight's columns."""
    rows = x[mask != 0]
    xq = oracle.quantized(rows, x_scale, 0, -LEVELS, LEVELS)
    wq = oracle.quantized(w, w_scales, 0, -LEVELS, LEVELS, 1)
    found, _ = oracle.figures(oracle.product, rows, w, xq, wq, y[mask != 0], 1)
    return dict(positions=int((mask != 0).sum()), output_sqnr_db=found["output_sqnr_db"])


def main(folder):
    tokens = np.zeros((4, 6), np.uint8)
    for sample, length in enumerate(LENGTHS):
        tokens[sample, :length] = 1 + 7 * (sample % 2)  # any other than 0 counts
    x = values(4, 6, 64)
    x[tokens == 0] = np.nan  # nothing of it may be seen
    w = (0.2 * values(64, 10)).astype(np.float32)
    y = np.full((4, 6, 10), 1e6, np.float32)
    y[tokens != 0] = (x[tokens != 0].astype(np.float64) @ w).astype(np.float32)
    image = values(3, 4, 5, 7)
    area = (random.random((3, 1, 5, 7)) < 0.6).astype(np.int8)
    area[1] = 0  # a sample of none
    image[np.broadcast_to(area == 0, image.shape)] = -999
    holes = random.random((3, 64)) < 0.5
    holes[2, 32:] = False
    rows = values(3, 64)
    rows[~holes] = 500
    with h5py.File(folder / "masked.h5", "w") as file:
        file.attrs.update(format="calibration-dump", format_version=1)

        def activation(name, data, **attributes):
            chunks = tuple((length + 1) // 2 + 1 if length > 2 else length for length in data.shape)
            made = file.create_dataset(f"activations/{name}", data=data, chunks=tuple(map(min, chunks, data.shape)), compression="gzip",
                                       shuffle=True, track_times=False)
            made.attrs.update(order=len(file["activations"]), **attributes)

        activation("tokens", x, mask="/masks/tokens", op_type="Gelu", batch_size=1, channel_axis=2)
        activation("product", y, mask="/masks/tokens", op_type="MatMul",
                   inputs=["tokens", "w"], batch_size=1, channel_axis=2)
        activation("image", image, batch_size=2, channel_axis=1)
        activation("rows", rows, mask="holes", channel_axis=1)
        file.create_dataset("activations/image.mask", data=area, track_times=False)
        file.create_dataset("activations/holes", data=holes, track_times=False)
        file.create_dataset("masks/tokens", data=tokens, track_times=False)
        file.create_dataset("weights/w", data=w, track_times=False).attrs.update(op_type="MatMul", channel_axis=1)
    found = {"tokens": figures(x, tokens[..., None], 2), "product": figures(y, tokens[..., None], 2),
             "image": figures(image, area, 1), "rows": figures(rows, holes, 1)}
    w_scales = np.abs(w.astype(np.float64)).max(0) / LEVELS
    found["product"]["layer"] = layer_figures(x, w, y, tokens, found["tokens"]["scale"], w_scales)
    for name, data, mask in (("tokens", x, tokens[..., None]), ("rows", rows, holes)):
        found[name]["int8-g32"] = block_figures(data, mask, 32)
    made_by = f"make_masked.py, NumPy {np.__version__}"
    (folder / "masked.json").write_text(json.dumps({"made_by": made_by, "tensors": found}, indent=1, default=float) + "\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
