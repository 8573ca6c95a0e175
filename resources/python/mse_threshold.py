def mse_threshold(histogram, x, of, scheme, candidates, first, density, has_points, tie):
    """The threshold with the least mean squared error on a histogram.

    Returns the threshold and the curve: all trials and their errors.
    """
    left, points = masses(histogram, x, of, has_points)
    low, high, counts = histogram
    largest, total = np.abs(x).max(), left.sum() + points[:, 1].sum()
    if total == 0:
        return largest, ([], [])
    if candidates == "edges":
        thresholds = np.append(np.minimum(np.abs(edges(*histogram)[first:]), largest), largest)
    elif candidates == "centres":
        thresholds = np.abs(low + (np.arange(first, len(counts)) + 0.5) * ((high - low) / len(counts)))
    else:
        thresholds = largest * (np.arange(1, candidates + 1) / candidates)
    thresholds = np.unique(thresholds[thresholds > 0])
    if thresholds.size == 0:
        return largest, ([], [])
    placed = places_of(histogram, left, density)
    errors = [squared_error(placed, points, scheme(t)) / total for t in thresholds]
    least = np.flatnonzero(np.array(errors) == min(errors))
    return thresholds[least[-1] if tie == "widest" else least[0]], (thresholds, errors)
