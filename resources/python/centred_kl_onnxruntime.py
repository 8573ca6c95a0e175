def onnxruntime_smoothed(masses):
    """Every empty bin gets 1e-4 counts, in equal parts from the others; None where a part would be a whole count."""
    masses, empty = masses.astype("f4"), masses == 0
    part = 1e-4 * empty.sum() / max((~empty).sum(), 1)
    return None if part >= 1 or empty.all() else np.where(empty, np.float32(1e-4), masses - np.float32(part))


def onnxruntime_divergence(counts, first, end, levels):
    """Of a window's coarse form from the window with what lies outside in its end bins. What division leaves over is
    counted into the last level but has nothing in the coarse form, whose means are cut to whole counts."""
    inside = counts[first:end]
    p = inside.copy()
    p[0] += counts[:first].sum()
    p[-1] += counts[end:].sum()
    merged = len(inside) // levels
    used = levels * merged
    sums = inside[:used].reshape(levels, merged).sum(axis=1)
    sums[-1] += inside[used:].sum()
    filled = (p[:used].reshape(levels, merged) != 0).sum(axis=1)
    q = np.append(np.repeat(np.where(filled > 0, sums // np.maximum(filled, 1), 0), merged), np.zeros(len(p) - used, int))
    p, q = onnxruntime_smoothed(p), onnxruntime_smoothed(q)
    if p is None or q is None:
        return np.inf
    p, q = (p / p.sum()).astype("f8"), (q / q.sum()).astype("f8")
    return (p * np.log(p / q)).astype("f4").sum()  # terms are double, all else is float32


def centred_kl_onnxruntime(histogram, x, levels):
    """Of the windows around 0, from the narrowest on, the first with the least divergence: its edges, cut at the data's
    ends, and the curve against half the width."""
    at, counts = histogram
    at, middle = at.astype("f8"), len(counts) // 2
    windows = [(middle - half, min(middle + half + 1, len(counts))) for half in range(levels // 2, middle + 1)]
    if len(counts) < levels:
        return (x.min(), x.max()), ([], [])
    divergences = [onnxruntime_divergence(counts, first, end, levels) for first, end in windows]
    first, end = windows[int(np.argmin(divergences))]
    widths = [(at[end] - at[first]) / 2 for first, end in windows]
    curve = (widths, np.maximum(divergences, 0.0)) if np.isfinite(min(divergences)) else ([], [])
    return (max(at[first], x.min()), min(at[end], x.max())), curve
