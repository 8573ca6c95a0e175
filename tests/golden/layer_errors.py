"""Layers' output errors in NumPy, written from their definition (resources/docs/layers.md) alone:
the oracle of make_layers.py and of tests/extra/layers_numpy.py. float64 throughout, no BLAS trick:
convolutions are sums over the kernel's taps."""
import itertools

import numpy as np


def quantized(values, scale, zero, low, high, axis=None):
    """fq as QuantizeLinear and DequantizeLinear define it, in float32."""
    scale = np.asarray(scale, np.float32)
    zero = np.asarray(zero, np.float64)
    if axis is not None and scale.size > 1:
        shape = [1] * values.ndim
        shape[axis] = -1
        scale, zero = scale.reshape(shape), zero.reshape(shape)
    level = np.clip(np.rint((values / scale).astype(np.float32)) + zero, low, high)
    return (scale * (level - zero).astype(np.float32)).astype(np.float32)


def conv(x, w, strides, pads, dilations, group):
    x, w = x.astype(np.float64), w.astype(np.float64)
    rank = x.ndim - 2
    padded = np.pad(x, [(0, 0), (0, 0)] + [(pads[i], pads[rank + i]) for i in range(rank)])
    out = [(padded.shape[2 + i] - dilations[i] * (w.shape[2 + i] - 1) - 1) // strides[i] + 1 for i in range(rank)]
    y = np.zeros((x.shape[0], w.shape[0], *out))
    inputs, outputs = w.shape[1], w.shape[0] // group
    for tap in itertools.product(*(range(k) for k in w.shape[2:])):
        part = padded[(slice(None), slice(None)) + tuple(
            slice(t * d, t * d + (o - 1) * s + 1, s) for t, d, o, s in zip(tap, dilations, out, strides))]
        for g in range(group):
            of = slice(g * outputs, (g + 1) * outputs)
            y[:, of] += np.einsum("nc...,mc->nm...", part[:, g * inputs:(g + 1) * inputs], w[(of, slice(None)) + tap],
                                  optimize=True)
    return y


def conv_transpose(x, w, strides, pads, dilations, group, output_padding):
    x, w = x.astype(np.float64), w.astype(np.float64)
    rank = x.ndim - 2
    full = [(x.shape[2 + i] - 1) * strides[i] + dilations[i] * (w.shape[2 + i] - 1) + 1 + output_padding[i]
            for i in range(rank)]
    inputs, outputs = x.shape[1] // group, w.shape[1]
    y = np.zeros((x.shape[0], outputs * group, *full))
    for tap in itertools.product(*(range(k) for k in w.shape[2:])):
        where = tuple(slice(t * d, t * d + (n - 1) * s + 1, s)
                      for t, d, n, s in zip(tap, dilations, x.shape[2:], strides))
        for g in range(group):
            of = slice(g * inputs, (g + 1) * inputs)
            y[(slice(None), slice(g * outputs, (g + 1) * outputs)) + where] += np.einsum(
                "nc...,cm->nm...", x[:, of], w[(of, slice(None)) + tap], optimize=True)
    return y[(slice(None), slice(None)) + tuple(slice(pads[i], full[i] - pads[rank + i]) for i in range(rank))]


def gemm(x, w, trans_b, alpha):
    w = w.astype(np.float64)
    return alpha * (x.astype(np.float64) @ (w.T if trans_b else w))


def product(x, w):
    return x.astype(np.float64) @ w.astype(np.float64)


def decibels(signal, noise):
    with np.errstate(divide="ignore"):
        return float(10 * np.log10(np.float64(signal) / np.float64(noise))) if noise else float("inf")


def figures(f, x, w, fx, fw, y, channel_axis):
    """f(x, w) without bias; fx, fw: quantized operands, None: float; y: as recorded."""
    plain = f(x, w)
    qx, qw = x if fx is None else fx, w if fw is None else fw
    error = f(qx, qw) - plain
    y = y.astype(np.float64)
    axes = tuple(a for a in range(y.ndim) if a != channel_axis % y.ndim)
    mean = lambda values: values.mean(axis=axes, keepdims=True)
    signal, noise = float((y * y).sum()), float((error * error).sum())
    left = y - plain
    left = left - mean(left)
    unbiased = error - mean(error)
    result = {
        "output_sqnr_db": decibels(signal, noise),
        "output_ac_db": decibels(float(((y - mean(y)) ** 2).sum()), noise),
        "input_db": None if fx is None else decibels(signal, float(((f(fx, w) - plain) ** 2).sum())),
        "weight_db": None if fw is None else decibels(signal, float(((f(x, fw) - plain) ** 2).sum())),
        "residual": float(np.sqrt((left * left).mean() / (y * y).mean())),
        "bias_gain_db": decibels(noise, float((unbiased ** 2).sum())),
        "positions": y.size // y.shape[channel_axis],
        "channel_signal": (y * y).mean(axis=axes).tolist(),
        "channel_noise": (error * error).mean(axis=axes).tolist(),
        "channel_mean_error": error.mean(axis=axes).tolist(),
    }
    return result, error
