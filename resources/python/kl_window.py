def rescaled(histogram, low, high, bins):
    """The counts in bins over another range, each in proportion to the overlap and rounded to whole counts; what
    rounding leaves over goes to the last one."""
    old_low, old_high, counts = histogram
    if (old_low, old_high, len(counts)) == (low, high, bins):
        return counts.copy()
    old_width, width = (old_high - old_low) / len(counts), (high - low) / bins

    def index(place):
        return int(min(max(place, 0), bins - 1))

    moved = np.zeros(bins, int)
    for old, left in enumerate(counts):
        begin, end = old_low + old * old_width, old_low + (old + 1) * old_width
        first = index(np.floor((begin - low) / width))
        last = max(first, index(np.ceil((end - low) / width) - 1))
        if not old_width > 0:
            moved[first] += left
            continue
        for new in range(first, last + 1):
            overlap = min(end, low + (new + 1) * width) - max(begin, low + new * width)
            share = min(max(overlap / old_width, 0.0), 1.0) * counts[old]
            given = min(int(share) + (share - int(share) >= 0.5), left)
            moved[new] += given
            left -= given
        moved[last] += left
    return moved


def shares(bins, levels, merge):
    """How much of each bin belongs to each level: levels of equal width that share the bins on their borders, or of
    equally many whole bins, the last one with what is left over."""
    level, place = np.arange(levels)[:, None], np.arange(bins)[None, :]
    if merge == "fractional":
        begin, end = np.maximum(level * bins, place * levels), np.minimum((level + 1) * bins, (place + 1) * levels)
        return np.maximum(end - begin, 0) / levels
    return (np.minimum(place // (bins // levels), levels - 1) == level).astype("f8")


def window_divergence(counts, first, last, levels, merge):
    """KL divergence of a window's coarse form from the window with what lies outside counted into its end bins."""
    inside = counts[first:last + 1].astype("f8")
    p = inside.copy()
    p[0], p[-1] = counts[:first + 1].sum(), counts[last:].sum()
    share = shares(len(inside), levels, merge)
    sums, filled = share @ inside, share @ (inside > 0).astype("f8")
    q = np.where(p > 0, share.T @ (sums / np.where(filled > 0, filled, 1.0)), 0.0)

    def smoothed(masses):
        empty = masses == 0
        part = 1e-4 * empty.sum() / (~empty).sum() if not empty.all() else 1.0
        return masses if part >= 1 else np.where(empty, 1e-4, masses - part)

    p, q = smoothed(p), smoothed(q)
    p, q = p / p.sum(), q / q.sum()
    both = (p > 0) & (q > 0)
    return np.sum(p[both] * np.log(p[both] / q[both]))


def kl_window(histogram, x, whole, bins, levels, merge, zero_may_leave, takes_empty, is_symmetric):
    """The window with the least divergence, of several the widest, out of those on the way from the whole range to one
    bin for each level. Each step leaves out two bins: one at each end; or, unless symmetric, whatever loses the fewest
    counts. Returns the window's edges, the whole range where there is nothing to search, and the curve: against the
    threshold, or half the width."""
    low, high = whole
    bins = min(len(histogram[2]), bins)
    if bins < levels or x.min() == x.max():
        return whole, ([], [])
    counts = rescaled(histogram, low, high, bins)
    zero = -low / (high - low) * bins
    first, last, windows, divergences = 0, bins - 1, [], []
    while True:
        is_empty = counts[first:last + 1].sum() == 0
        windows.append((first, last))
        divergences.append((0.0 if takes_empty else np.inf) if is_empty
                           else window_divergence(counts, first, last, levels, merge))
        steps = [(1, 1, counts[first] + counts[last])]
        if not is_symmetric:
            steps += [(2, 0, counts[first] + counts[first + 1]), (0, 2, counts[last] + counts[last - 1])]
        steps = [step for step in steps if zero_may_leave or first + step[0] <= zero <= last + 1 - step[1]]
        if last - first + 1 < levels + 2 or not steps:
            break
        below, above, _ = min(steps, key=lambda step: step[2])
        first, last = first + below, last - above

    def edge(index):
        return high if index == bins else low + index / bins * (high - low)

    ends = [(edge(first), edge(last + 1)) for first, last in windows]
    if is_symmetric:  # the end that is the larger share of its side decides
        ends = [(low * max(e[0] / low, e[1] / high), high * max(e[0] / low, e[1] / high)) for e in ends]
    widths = [e[1] if is_symmetric else (e[1] - e[0]) / 2 for e in ends]
    return ends[int(np.argmin(divergences))], (widths[::-1], divergences[::-1])
