#!/usr/bin/env python3
"""Expected values of the metrics, from the definitions in resources/docs/algorithms.md, in NumPy.

    make_metrics.py > metrics.json

Small generated tensors, each under quantizers of every scheme; and one whose four channels have a quantizer each.
Independent of the C++: whole arrays, no tallies, the cells of KL by overlap with every bin.
"""
import json
import sys

import numpy

BINS = 2048

ROUNDINGS = {
    "half-even": numpy.rint,
    "half-away": lambda v: numpy.copysign(numpy.floor(numpy.abs(v)) + (numpy.abs(v) % 1 >= 0.5), v),
    "floor-half": lambda v: numpy.floor(v + 0.5),
}


def quantizer(choice):
    bits, scheme = choice["bits"], choice["scheme"]
    qmax = 2 ** (bits - 1) - 1
    rounded = ROUNDINGS[choice["rounding"]]
    if "threshold" in choice:
        t = choice["threshold"]
        if choice["divisor"] == "2^b-1":
            low, high, divisor, clip = 0, 2 ** bits - 1, 2 ** bits - 1, (0.0, t)
        elif scheme == "symmetric-full":
            low, high, divisor, clip = -qmax - 1, qmax, qmax, (-t * (qmax + 1) / qmax, t)
        else:
            low, high, divisor, clip = -qmax, qmax, qmax, (-t, t)
        if choice["divisor"] == "qmax+0.5":
            divisor = qmax + 0.5
        return dict(scale=t / divisor, zero=0.0, low=low, high=high, clip=clip, rounded=rounded, real=False)
    low, high = -qmax - 1, qmax
    scale = (choice["high"] - choice["low"]) / (2 ** bits - 1)
    zero = low - choice["low"] / scale
    if scheme == "affine":
        zero = numpy.clip(rounded(zero), low, high)
    return dict(scale=scale, zero=zero, low=low, high=high, clip=(choice["low"], choice["high"]), rounded=rounded,
                real=scheme == "affine-real")


def levels(q, x):
    place = q["rounded"](x / q["scale"] + q["zero"]) if q["real"] else q["rounded"](x / q["scale"]) + q["zero"]
    return numpy.clip(place, q["low"], q["high"])


def spread(q, level, count, absmax):
    """Mass of one level over the bins, by the overlap of its cell with each."""
    begin, end = q["scale"] * (level - q["zero"] - 0.5), q["scale"] * (level - q["zero"] + 0.5)
    if level == q["low"] and begin <= q["clip"][0] <= end:
        begin = q["clip"][0]
    if level == q["high"] and begin <= q["clip"][1] <= end:
        end = q["clip"][1]
    edges = numpy.linspace(-absmax, absmax, BINS + 1)
    begin, end = max(begin, -absmax), min(end, absmax)
    overlap = numpy.maximum(numpy.minimum(edges[1:], end) - numpy.maximum(edges[:-1], begin), 0.0)
    if overlap.sum() == 0.0:  # only the cell's border touches the data: a value that rounds outwards
        overlap[0 if begin < 0 else -1] = 1.0
    return count * overlap / overlap.sum()


def kl(p, q):
    p, q = p / p.sum() + 1e-12, q / q.sum() + 1e-12
    p, q = p / p.sum(), q / q.sum()
    return float((p * numpy.log(p / q)).sum())


def metrics(parts):
    """Of parts (values, quantizer), taken together."""
    x = numpy.concatenate([values for values, _ in parts])
    absmax = numpy.abs(x).max()
    level = numpy.concatenate([levels(q, values) for values, q in parts])
    y = numpy.concatenate([q["scale"] * (levels(q, values) - q["zero"]) for values, q in parts])
    clipped = numpy.concatenate([(v < q["clip"][0]) | (v > q["clip"][1]) for v, q in parts])
    error = (x - y) ** 2
    recorded = numpy.bincount(numpy.clip(numpy.floor(x / (absmax / 1024)) + 1024, 0, BINS - 1).astype(int),
                              minlength=BINS).astype(float)
    quantized = numpy.zeros(BINS)
    for values, q in parts:
        for one, count in zip(*numpy.unique(levels(q, values), return_counts=True)):
            quantized += spread(q, one, count, absmax)
    return {
        "sqnr_db": 10 * numpy.log10((x ** 2).sum() / error.sum()),
        "mse": error.mean(),
        "squared_error": error.sum(),
        "mse_rounding": error[~clipped].sum() / len(x),
        "mse_clipping": error[clipped].sum() / len(x),
        "clipped_share": clipped.mean(),
        "max_error": numpy.abs(x - y).max(),
        "cosine": (x * y).sum() / numpy.sqrt((x ** 2).sum() * (y ** 2).sum()),
        "kl": kl(recorded, quantized),
        "levels_used": float(len(numpy.unique(level))),
    }


def tensors():
    random = numpy.random.default_rng(20)
    normal = random.standard_normal(200)
    return {
        "normal": normal,
        "relu": numpy.maximum(random.standard_normal(200), 0),
        "laplace": random.laplace(0, 1, 200),
        "skewed": random.standard_gamma(2, 200) - 0.28,
        "subnormal": normal * 1e-40,
        "grid": random.integers(-40, 41, 200) / 8,
    }


def choices(x):
    t = float(numpy.abs(x).max())
    low, high = min(float(x.min()), 0.0), max(float(x.max()), 0.0)
    for scheme in ("symmetric-restricted", "symmetric-full"):
        for rounding in ROUNDINGS:
            yield dict(scheme=scheme, bits=8, divisor="qmax", rounding=rounding, threshold=t)
        yield dict(scheme=scheme, bits=8, divisor="qmax", rounding="half-even", threshold=0.6 * t)
        yield dict(scheme=scheme, bits=8, divisor="qmax", rounding="half-even", threshold=1.3 * t)
        yield dict(scheme=scheme, bits=4, divisor="qmax+0.5", rounding="half-even", threshold=t)
        yield dict(scheme=scheme, bits=8, divisor="2^b-1", rounding="half-even", threshold=t)
        yield dict(scheme=scheme, bits=16, divisor="qmax", rounding="half-even", threshold=t)
    for scheme in ("affine", "affine-real"):
        for rounding in ROUNDINGS:
            yield dict(scheme=scheme, bits=8, divisor="qmax", rounding=rounding, low=low, high=high)
        yield dict(scheme=scheme, bits=8, divisor="qmax", rounding="half-even", low=0.5 * low, high=0.7 * high)
        yield dict(scheme=scheme, bits=3, divisor="qmax", rounding="half-even", low=low, high=high)


def main():
    single, whole = [], []
    for name, values in tensors().items():
        x = values.astype("f4").astype("f8")
        cases = [dict(**choice, metrics=metrics([(x, quantizer(choice))])) for choice in choices(x)]
        single.append({"name": name, "values": x.tolist(), "cases": cases})
    for name, values in tensors().items():
        rows = (values.reshape(4, 50) * numpy.array([[1], [0.1], [3], [0.01]])).astype("f4").astype("f8")
        for scheme in ("symmetric-restricted", "affine-real"):
            parts, chosen = [], []
            for row in rows:
                ends = dict(threshold=float(numpy.abs(row).max())) if scheme == "symmetric-restricted" else \
                    dict(low=min(row.min(), 0.0), high=0.8 * max(row.max(), 0.0))
                chosen.append(dict(scheme=scheme, bits=8, divisor="qmax", rounding="half-even", **ends))
                parts.append((row, quantizer(chosen[-1])))
            whole.append({"name": name, "channels": [{"values": row.tolist(), "choice": choice}
                                                     for row, choice in zip(rows, chosen)], "metrics": metrics(parts)})
    about = f"made by make_metrics.py, numpy {numpy.__version__}"
    json.dump({"about": about, "tensors": single, "channels": whole}, sys.stdout, separators=(",", ":"))
    print()


main()
