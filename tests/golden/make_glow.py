#!/usr/bin/env python3
"""Scales of Glow's asymmetric KL on data away from 0: optimizeKL and chooseQuantizationParams read step by step.

    make_glow.py > glow.json

Float32 where Glow (2024-05, lib/Quantization/Base: Profile.cpp, Calibration.cpp, Base.cpp) has float, double where it
has double; no bin is skipped and nothing is summed in another order. A window that leaves 0 outside is not extended:
the scale is the window's width over 255, the zero point is clamped to -128 or 127, and what a network with these can
represent is no longer the window. The errors are those of such a network: level = clip(round(x / scale) + offset).

Tensors come from an integer generator, which the test that reads glow.json repeats: values are whole numbers times a
power of two, so that both have the same ones. Committed numbers were made with Debian 12's python3-numpy 1.24.2.
"""
import json
import math

import numpy

f4 = numpy.float32
LEVELS = 255
LOWEST, HIGHEST = -128, 127

# name: seed and, for each batch: how many values, the step, what is added, and the outliers that follow (in steps)
TENSORS = {
    "positive": (1, [(4000, 2.0 ** -12, 40 * 2 ** 12, [])]),
    "positive_with_outlier": (2, [(4000, 2.0 ** -14, 12 * 2 ** 14, [40 * 2 ** 14])]),
    "negative": (3, [(4000, 2.0 ** -13, -30 * 2 ** 13, [])]),
    "negative_with_outliers": (4, [(4000, 2.0 ** -15, -9 * 2 ** 15, [-20 * 2 ** 15, -2 ** 15])]),
    "narrow": (5, [(4000, 2.0 ** -20, 5 * 2 ** 20, [])]),
    "narrow_negative": (6, [(4000, 2.0 ** -19, -7 * 2 ** 19, [])]),
    "few_at_zero": (7, [(4000, 2.0 ** -12, 36 * 2 ** 12, [0, 0, 0])]),
    "wider_batches": (8, [(1500, 2.0 ** -13, 22 * 2 ** 13, []), (1500, 2.0 ** -12, 26 * 2 ** 12, []),
                          (1500, 2.0 ** -11, 30 * 2 ** 11, [])]),
    "wider_batches_negative": (9, [(2000, 2.0 ** -14, -10 * 2 ** 14, []), (2000, 2.0 ** -12, -30 * 2 ** 12, [])]),
    "tail": (10, [(4000, 2.0 ** -15, 6 * 2 ** 15, [k * 2 ** 14 for k in range(20, 60)])]),
    "around_zero": (11, [(4000, 2.0 ** -15, 0, [])]),
    "zero_at_the_edge": (12, [(4000, 2.0 ** -15, 3 * 2 ** 15, [])]),
}


def batches_of(seed, parts):
    """Sums of four uniform 16-bit numbers about 0 (bell-shaped, at most 2^17 away), plus an offset, times the step."""
    state, batches = seed, []
    for count, step, offset, outliers in parts:
        places = []
        for _ in range(count):
            total = 0
            for _ in range(4):
                state = (state * 1664525 + 1013904223) % 2 ** 32
                total += state >> 16
            places.append((total - 2 ** 17) // 8 + offset)
        batches.append((numpy.array(places + outliers, "f8") * step).astype(f4))
    return batches


def profiled(batches, bins):
    """generateTensorHistogram of each batch in turn: counts as float32, least and largest value so far."""
    counts, low, high = numpy.zeros(bins, f4), f4(0), f4(0)
    n = f4(bins)

    def bin_of(value, first, width):
        return 0 if width == 0 else min(int((value - first) / width), bins - 1)

    for batch in batches:
        least, largest = batch.min(), batch.max()
        if not counts.any():
            low, high = least, largest
        if least < low or largest > high:
            new_low, new_high = min(least, low), max(largest, high)
            to, was = f4((new_high - new_low) / n), f4((high - low) / n)
            moved = numpy.zeros(bins, f4)
            for i in range(bins):
                if counts[i] == 0:
                    continue
                begin = f4(low + f4(was * f4(i)))
                target = int(f4(f4(begin - new_low) / to))
                end = f4(new_low + f4(to * f4(target + 1)))
                wanted = f4(f4(f4(end - begin) / was) * counts[i])
                stays = int(min(f4(rounded(float(wanted))), counts[i]))
                moved[bin_of(begin, new_low, to)] += f4(stays)
                if stays < counts[i]:
                    moved[bin_of(f4(begin + to), new_low, to)] += f4(counts[i] - f4(stays))
            counts, low, high = moved, new_low, new_high
        width = f4(f4(high - low) / n)
        for value in batch:
            counts[bin_of(value, low, width)] += f4(1)
    return counts, low, high


def rounded(value):
    """C's round: halves away from zero."""
    whole = math.trunc(value)
    return whole + math.copysign(1.0, value) * (abs(value - whole) >= 0.5)


def rescaled(counts, low, high, new_low, new_high):
    """rescaleHistogram: each bin shared out by overlap in whole counts."""
    if low == new_low and high == new_high:
        return counts
    bins = len(counts)
    was, to = f4(f4(high - low) / f4(bins)), f4(f4(new_high - new_low) / f4(bins))
    shared = numpy.zeros(bins, f4)
    for i in range(bins):
        if counts[i] == 0:
            continue
        begin, end = f4(low + f4(f4(i) * was)), f4(low + f4(f4(i + 1) * was))
        first = min(int(max(numpy.floor(f4(f4(begin - new_low) / to)), f4(0))), bins - 1)
        last = min(int(max(numpy.ceil(f4(f4(end - new_low) / to)), f4(0))), bins - 1)
        left = counts[i]
        for place in range(first, last + 1):
            here, next_ = f4(new_low + f4(f4(place) * to)), f4(new_low + f4(f4(place + 1) * to))
            share = f4(f4(min(end, next_) - max(begin, here)) / was)
            share = min(max(share, f4(0)), f4(1))
            given = min(f4(rounded(float(f4(share * counts[i])))), left)
            shared[place] += given
            left = f4(left - given)
    return shared


def summed(values):
    """The float32 sum, one after the other."""
    return numpy.add.accumulate(values, dtype=f4)[-1] if len(values) else f4(0)


def conditioned(masses):
    empty = masses == 0
    count = int(empty.sum())
    if count == len(masses):
        return masses
    taken = f4(f4(f4(0.0001) * f4(count)) / f4(len(masses) - count))
    if taken >= 1:
        return masses
    return numpy.where(empty, f4(0.0001), masses - taken).astype(f4)


def divergence(p, q):
    p_sum, q_sum = summed(p), summed(q)
    if p_sum == 0 or q_sum == 0:
        return f4(0)
    p, q = (p / p_sum).astype(f4), (q / q_sum).astype(f4)
    both = (p > 0) & (q > 0)
    # The C library's logarithm of a float32 is the exact one rounded; numpy's own is less exact.
    logs = numpy.log((p[both] / q[both]).astype("f8")).astype(f4)
    return summed((p[both] * logs).astype(f4))


def optimized(counts, low, high):
    """optimizeKL, asymmetric: the window with the least divergence, the widest of several."""
    bins = len(counts)
    width = f4(f4(high - low) / f4(bins))
    least, best = f4(numpy.inf), (low, high)
    first, last = 0, bins - 1
    while last - first + 1 >= LEVELS:
        size = last - first + 1
        inside = counts[first:last + 1]
        p = inside.copy()
        p[0] = summed(counts[:first + 1])
        p[-1] = summed(counts[last:])
        merged = size // LEVELS
        q = numpy.zeros(size, f4)
        for level in range(LEVELS):
            part = slice(level * merged, (level + 1) * merged if level < LEVELS - 1 else size)
            filled = int((inside[part] != 0).sum())
            if filled:
                q[part] = numpy.where(p[part] != 0, f4(summed(inside[part]) / f4(filled)), f4(0))
        here = divergence(conditioned(p), conditioned(q))
        if here < least:
            least = here
            best = f4(low + f4(f4(first) * width)), f4(low + f4(f4(last + 1) * width))
        losses = [counts[first] + counts[last], counts[first] + counts[first + 1], counts[last] + counts[last - 1]]
        cheapest = losses.index(min(losses))
        first += (1, 2, 0)[cheapest]
        last -= (1, 0, 2)[cheapest]
    return best


def parameters(low, high):
    """Scale and offset of a range, as chooseQuantizationParams has them behind the calibration."""
    scale = (float(high) - float(low)) / (HIGHEST - LOWEST) or 0.1
    from_low, from_high = LOWEST - float(low) / scale, HIGHEST - float(high) / scale
    low_terms, high_terms = abs(LOWEST) + abs(float(low) / scale), abs(HIGHEST) + abs(float(high) / scale)
    offset = from_low if low_terms < high_terms else from_high
    if abs(f4(high + low)) <= numpy.finfo(f4).eps:
        offset = 0.0
    return f4(scale), int(rounded(min(max(offset, LOWEST), HIGHEST)))


def errors(x, scale, offset):
    scale = float(scale)
    became = scale * (numpy.clip(numpy.rint(x / scale) + offset, LOWEST, HIGHEST) - offset)
    low, high = scale * (LOWEST - offset), scale * (HIGHEST - offset)
    square = (x - became) ** 2
    return {"low": low, "high": high, "sqnr_db": float(10 * numpy.log10((x ** 2).sum() / square.sum())),
            "mse": float(square.mean()), "clipped_share": float(((x < low) | (x > high)).mean())}


def entries():
    for name, (seed, parts) in TENSORS.items():
        batches = batches_of(seed, parts)
        x = numpy.concatenate(batches).astype("f8")
        for bins in (512, 2048):
            counts, least, largest = profiled(batches, bins)
            low, high = min(least, f4(0)), max(largest, f4(0))
            window = optimized(rescaled(counts, least, largest, low, high), low, high)
            scale, offset = parameters(*window)
            yield {
                "tensor": name, "seed": seed, "parts": parts, "bins": bins,
                "result": {"window": [float(end) for end in window], "scale": float(scale), "offset": offset,
                           **errors(x, scale, offset)},
            }


print("[\n" + ",\n".join(json.dumps(entry) for entry in entries()) + "\n]")
