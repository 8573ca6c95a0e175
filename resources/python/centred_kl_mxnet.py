def ordered_sum(values):
    """In float32, one after the other."""
    return np.add.accumulate(values, dtype="f4")[-1]


def mxnet_smoothed(masses):
    """Every empty bin gets 1e-4 counts, in equal parts from the others; None where a part would be a whole count."""
    empty = masses == 0
    part = np.float32(1e-4) * np.float32(empty.sum()) / np.float32(max((~empty).sum(), 1))
    return None if part >= 1 or empty.all() else np.where(empty, np.float32(1e-4), masses - part)


def mxnet_divergence(counts, first, end, levels):
    """Of a window's coarse form from the window with what lies outside in its end bins. The last level has the bins that
    division leaves over; the window's first bin is not counted into the coarse form. All in float32, summed in order."""
    p = counts[first:end].astype("f4")
    p[0], p[-1] = ordered_sum(counts[:first + 1]), ordered_sum(counts[end - 1:])
    inside = counts[first:end].copy()
    inside[0] = 0
    merged = len(inside) // levels
    begins = np.arange(levels) * merged
    used = np.append(inside[:levels * merged], 0)
    means = np.add.reduceat(used, begins).astype("f4")
    means[-1] = means[-1] + np.float32(inside[levels * merged:].sum())
    filled = np.add.reduceat(inside != 0, begins, dtype=int)
    means = means / np.maximum(filled, 1).astype("f4")
    level = np.minimum(np.arange(len(inside)) // merged, levels - 1)
    q = np.where((p != 0) & (filled[level] > 0), means[level], np.float32(0))
    p, q = mxnet_smoothed(p), mxnet_smoothed(q)
    if p is None or q is None:
        return np.inf
    p, q = p / ordered_sum(p), q / ordered_sum(q)
    return ordered_sum(p * np.log((p / q).astype("f8")).astype("f4"))  # the logarithm of a float32, rounded once


def centred_kl_mxnet(histogram, x, levels):
    """Of the windows around 0, from the narrowest on, the first with the least divergence: its upper edge, and the curve
    against that."""
    at, counts = histogram
    at, counts, middle = at.astype("f8"), counts.astype("f4").astype(int), len(counts) // 2
    assert len(counts) <= 32768, "calib merges bins then, with a note"
    windows = [(middle - half, min(middle + half + 1, len(counts))) for half in range(levels // 2, middle + 1)]
    if len(counts) < levels:
        return np.abs(x).max(), ([], [])
    divergences = [mxnet_divergence(counts, first, end, levels) for first, end in windows]
    thresholds = [at[end] for first, end in windows]
    curve = (thresholds, np.maximum(divergences, 0.0)) if np.isfinite(min(divergences)) else ([], [])
    return thresholds[int(np.argmin(divergences))], curve
