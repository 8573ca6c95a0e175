def asymmetric_trials(density, steps):
    """17 scales with 21 offsets each, cut at the observed range, and that range's own."""
    f4, (low, high) = np.float32, observed(density)
    scale = (high - low) / f4(steps)
    own = scale, int(half_away(low / scale))
    least = scale * f4(own[1])
    most = least + scale * f4(steps)
    for part in range(1, 18):
        for index in range(21):
            step, offset = f4(part) / f4(16) * scale, int(-steps + steps / 20 * index)
            begin = step * f4(offset)
            end = begin + step * f4(steps)
            if begin < least and end > most:
                continue
            begin = max(least, begin)
            step = (min(most, end) - begin) / f4(steps)
            if step > 0:
                yield step, int(half_away(begin / step))
    yield own


def symmetric_trials(density, steps):
    """101 scales up to 1.01 of the largest magnitude's."""
    low, high = observed(density)
    widest, share = np.float32(2) * max(high, -low) / np.float32(steps), np.float32(0.01)
    while float(share) <= 1.01:
        yield share * widest, int(np.floor(-steps / 2))
        share = np.float32(float(share) + 0.01)


def aimet_tf_enhanced(density, steps, all_steps, is_symmetric, weight):
    """Scale and lowest level with the least cost, the first of several: the squared error of the bins' middles, where
    what is clipped counts `weight` times; sums are kept in float32. None if no cost is a number."""
    f4, (left, width, shares) = np.float32, density
    middles = left[0] + np.arange(512).astype("f4") * width + width / f4(2)
    trials = list((symmetric_trials if is_symmetric else asymmetric_trials)(density, steps))
    scale, offset = np.array([t[0] for t in trials], "f4"), np.array([t[1] for t in trials], "f4")
    low = scale * offset
    first, last = (np.clip(np.floor((end - left[0]) / width), 0, 511).astype(int)
                   for end in (low, scale * f4(all_steps) + low))
    sums = np.zeros((3, len(trials)), "f4")
    for index, middle in enumerate(middles):
        level = half_away(middle / scale - offset)
        distances = middle - middles[first], middle - middles[last], middle - scale * (level + offset)
        takes = index < first, index >= last, (index >= first) & (index < last)
        for part in range(3):
            square = shares[index] * distances[part].astype("f8") ** 2
            sums[part] = np.where(takes[part], (sums[part] + square).astype("f4"), sums[part])
    with np.errstate(over="ignore"):
        costs = f4(weight) * (sums[0] + sums[1]) + sums[2]
    costs = np.where(costs < np.finfo("f4").max, costs, np.inf)
    best = int(np.argmin(costs))
    return (float(scale[best]), float(offset[best])) if np.isfinite(costs[best]) else None


def encoding_range(encoding, x, steps, divisor, is_symmetric):
    """What the levels of a scale and a lowest level stand for: a range, or its threshold."""
    if encoding is None:
        low, high = min(x.min(), 0.0), max(x.max(), 0.0)
        return max(high, -low) if is_symmetric else (low, high)
    scale, offset = encoding
    return scale * divisor if is_symmetric else (min(scale * offset, 0.0), max(scale * (offset + steps), 0.0))
