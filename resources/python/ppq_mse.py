def level_loss(counts, start, step, end):
    """Mean squared distance in bins of the counts from levels every `step` bins from start to end: a bin's centre from the
    nearer level, or from the nearer end; a quarter of a bin less in the middle between two levels."""
    bins = np.arange(len(counts))
    lower = (bins - start) % step
    upper = step - lower - 1
    distance = np.where(lower == upper, lower + 0.25, np.minimum(lower, upper) + 0.5)
    distance = np.where(bins < start, start - bins - 0.5, np.where(bins > end, bins - end + 0.5, distance))
    return np.add.accumulate(counts * distance * distance / counts.sum())[-1]


def ppq_mse(histogram, x, levels, interval, has_two_ends):
    """The ends of the levels with the least loss, the first of several: steps of whole bins, from bin 0 or, with two ends,
    from every `interval` bins up to 0."""
    counts = histogram[2].astype("f8")
    bins, steps = len(counts), len(counts) // levels
    low = x.min() if has_two_ends else 0.0
    width = (x.max() - low if has_two_ends else np.abs(x).max()) / bins
    best = (0, levels * (steps + 1))
    least = level_loss(counts, 0, steps + 1, best[1])
    for start in range(0, bins if has_two_ends else 1, interval):
        if has_two_ends and start * width + low > 0:
            break
        for step in range(1, steps + 1):
            end = start + levels * step
            if end > bins + levels:
                break
            loss = level_loss(counts, start, step, end)
            if loss < least:
                least, best = loss, (start, end)
    return best[0] * width + low, best[1] * width + low
