def aimet_encoding(low, high, steps, is_symmetric):
    """Scales and lowest levels of ranges."""
    if is_symmetric:
        return np.maximum(high, -low) / (steps // 2), np.full(low.shape, -float((steps + 1) // 2))
    scale = (high - low) / steps
    inside = -np.clip(half_away(-low / scale), 0, steps)
    return scale, np.where((low < 0) & (high > 0), inside, half_away(low / scale))


def aimet_mse(density, steps, is_symmetric):
    """Of all pairs of left edges, one up to 0 and one from 0 on, the first with the least squared error of the bins'
    middles; sums are kept in float32."""
    left, width, shares = density
    low, high = observed(density)
    high, edge, ends = high + width, left[0], [low]
    while edge <= left[-1] + width:
        if low <= edge <= high:
            ends.append(edge)
        if not edge + width > edge:
            break
        edge = edge + width
    lows = [end for end in ends if end < 0] + [np.float32(0)]
    highs = [end for end in ends if end > 0] + [np.float32(0)]
    pairs = np.array([(a, b) for a in lows for b in highs if a != b], dtype="f4")
    if not len(pairs):
        return float(low), float(high)
    begin, end = pairs.T
    scale, offset = aimet_encoding(begin.astype("f8"), end.astype("f8"), steps, is_symmetric)
    sums, value = np.zeros(len(pairs), "f4"), low + width / np.float32(2)
    for _ in range(len(ends) - 1):
        share = np.float32(shares[int(np.clip(np.floor((value - left[0]) / width), 0, 511))])
        clamped = np.maximum(begin, np.minimum(value, end)).astype("f8")
        became = (scale * (half_away(clamped / scale - offset) + offset)).astype("f4")
        error = (value - became).astype("f8")
        sums = (sums + float(share) * (error * error)).astype("f4")
        value = value + width
    best = int(np.argmin(sums))
    return float(begin[best]), float(end[best])
