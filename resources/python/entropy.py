def smoothed(masses, epsilon):
    """Every empty bin gets epsilon, in equal parts from the others; not where a part would be a whole count."""
    empty = masses == 0
    part = epsilon * empty.sum() / (~empty).sum()
    return masses if part >= 1 else np.where(empty, epsilon, masses - part)


def divergence(p, q, floor=0.0):
    """KL(P || Q) in nats; infinite where Q has nothing and P something, unless there is a floor for Q in the logarithm."""
    filled = p > 0
    if floor == 0 and (q[filled] == 0).any():
        return np.inf
    p, q = p[filled] / p.sum(), q[filled] / q.sum()
    return max(np.sum(p * np.log(p / np.where(q == 0, floor, q))), 0.0)


def entropy(histogram, x, levels, first, last, first_bin="counted", outliers_in_q=True, over_all=True, epsilon=None,
            reverse=False, threshold_at=0.5, level_by="centre", empty_wins=False, tie="first", step=1, log_floor=0.0):
    """The threshold at which a histogram of magnitudes, cut there, differs least from its own coarse form.

    Returns the threshold and the curve: the thresholds and divergences of all trials.
    """
    low, high, counts = histogram
    bins, largest = len(counts), np.abs(x).max()
    counts = counts.astype("f8")
    if first_bin == "discarded":
        counts[0] = 0
    if first_bin == "copied":
        counts[0] = counts[1]
    if first_bin == "share-replaced":
        emptied = int(bins * 0.002)
        counts[:emptied], counts[emptied] = 0, 1
    last = bin_of(largest, low, high, counts) if last == "max" else bins - 1
    thresholds, divergences, are_empty = [], [], []
    for trial in range(first, last + 1, step):
        inside = counts[:trial + 1]
        p = inside.copy()
        p[trial] += counts[trial + 1:].sum()  # what lies beyond is counted into the last bin
        source = p if outliers_in_q else inside
        j = np.arange(trial + 1)
        level = j * levels // (trial + 1) if level_by == "edge" else (2 * j + 1) * levels // (2 * trial + 1)
        level = np.minimum(level, levels - 1)
        sums = np.bincount(level, source, levels)
        takes = np.ones(trial + 1, "?") if over_all else source > 0  # the bins that a level is spread back over
        q = np.where(takes, sums[level] / np.maximum(np.bincount(level, takes, levels), 1)[level], 0.0)
        thresholds.append(low + (trial + threshold_at) / bins * (high - low))
        are_empty.append(not source.any())
        if are_empty[-1]:
            divergences.append(0.0 if empty_wins else np.inf)
            continue
        if epsilon is not None:
            p, q = smoothed(p, epsilon), smoothed(q, epsilon)
        divergences.append(divergence(q, p) if reverse else divergence(p, q, log_floor))
    curve = thresholds, divergences
    if not np.isfinite(divergences).any():
        return largest, ([], [])
    best = np.array(are_empty if empty_wins and any(are_empty) else np.array(divergences) == min(divergences))
    places = np.flatnonzero(best)
    return max(thresholds[places[0] if tie == "first" else places[-1]], 0.0), curve
