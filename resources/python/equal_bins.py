def count(values, low, high, bins):
    """Counts in equal bins; each holds its lower edge, the last one its upper edge too."""
    width = (high - low) / bins
    place = np.maximum((values - low) / width, 0) if width > 0 else np.zeros(values.size)
    return np.bincount(np.minimum(place, bins - 1).astype(int), minlength=bins)


def edges(low, high, counts):
    return low + np.arange(len(counts) + 1) * ((high - low) / len(counts))


def bin_of(value, low, high, counts):
    if value <= low or not high > low:
        return 0
    return int(min((value - low) / ((high - low) / len(counts)), len(counts) - 1))
