def shared_levels(trial, levels):
    """Levels of equal width over so many bins, in float32: their whole bins, first and end, and what they have of the bin
    before and of the one behind."""
    level, f4 = np.arange(levels), np.float32
    width = f4(trial) / f4(levels)
    start, stop = level.astype("f4") * width, (level + 1).astype("f4") * width
    start[-1], stop[-1] = f4(trial) - width, f4(trial)
    first, end = np.ceil(start).astype(int), np.floor(stop).astype(int)
    return first, end, first.astype("f4") - start, stop - end.astype("f4")


def fractional_divergence(shares, trial, levels):
    """Of the first bins' coarse form from these bins with all beyond in the last one; 1e-4 is added to each share."""
    epsilon, padded = np.float32(1e-4), np.append(shares, np.float32(0))
    cut = shares[:trial] + epsilon
    cut[-1] = np.add.accumulate(np.append(cut[-1:], shares[trial:]), dtype="f4")[-1]
    first, end, of_before, of_behind = shared_levels(trial, levels)
    sums = of_before * padded[first - 1]  # nothing of a bin adds nothing
    sums = sums + of_behind * padded[end]
    for offset in range((end - first).max()):
        bins = first + offset
        sums = sums + np.where(bins < end, padded[np.minimum(bins, trial)], np.float32(0))
    means = sums / (end.astype("f4") - first.astype("f4") + of_before + of_behind)
    coarse = np.full(trial + 1, epsilon)
    whole = np.repeat(np.arange(levels), end - first)
    coarse[np.concatenate([np.arange(a, b) for a, b in zip(first, end)])] += means[whole]
    coarse[end[of_behind > 0]] += (of_behind * means)[of_behind > 0]
    coarse[first[of_before > 0] - 1] += (of_before * means)[of_before > 0]
    quotient = (cut / coarse[:trial]).astype("f8")
    total = 0.0
    for term in (cut.astype("f8") * np.log(quotient)).tolist():
        total = float(np.float32(total + term))  # a float32 that doubles are added to
    return total


def fractional_entropy(histogram, x, levels):
    """The threshold at which a histogram of magnitudes without exact zeros, cut there, differs least from its own coarse
    form, whose levels share the bins on their borders; and the curve. The whole histogram is not tried."""
    counts, largest = histogram[2].copy(), np.abs(x).max()
    counts[0] -= (x == 0).sum()
    trials = range(levels, len(counts))
    if counts.sum() == 0 or not trials:
        return largest, ([], [])
    shares = (counts / counts.sum()).astype("f4")
    kept = np.array(trials) + 0.5
    thresholds = kept / len(counts) * largest
    if 1e-30 < largest < 1e30:
        thresholds = (kept.astype("f4") * np.float32(largest) / np.float32(len(counts))).astype("f8")
    divergences = [fractional_divergence(shares, trial, levels) for trial in trials]
    return thresholds[int(np.argmin(divergences))], (thresholds, np.maximum(divergences, 0.0))
