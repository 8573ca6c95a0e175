def half_up(value):
    """The nearest whole number of one that is not negative, halves upward."""
    return int(value) + (value - int(value) >= 0.5)


def redistributed(counts, low, high, new_low, new_high):
    """The counts in as many bins over a wider range. A bin goes to the one that holds its start; what reaches beyond
    that one's end, in proportion and rounded to whole counts, to the next."""
    bins = len(counts)
    width, new_width = (high - low) / bins, (new_high - new_low) / bins

    def new_bin(value):
        return int(min((value - new_low) / new_width, bins - 1)) if value > new_low else 0

    moved = np.zeros(bins, int)
    for old in np.flatnonzero(counts):
        begin = low + old * width
        target = new_bin(begin)
        stays = counts[old]
        if width > 0:
            share = (new_low + (target + 1) * new_width - begin) / width
            stays = min(half_up(max(share * counts[old], 0.0)), counts[old])
        moved[target] += stays
        moved[new_bin(begin + new_width)] += counts[old] - stays
    return moved


def grow_redistribute(batches, bins, of):
    """The number of bins stays; a batch outside the range moves the counts to bins over the wider range first.
    Magnitudes (of=np.abs) are counted from 0. Returns low, high, counts."""
    low, high, counts = 0.0, 0.0, np.zeros(bins, int)
    for batch in batches:
        values = of(finite([batch]))
        if values.size == 0:
            continue
        least, largest = 0.0 if of is np.abs else values.min(), values.max()
        if counts.sum() == 0:
            low, high = least, largest
        elif least < low or largest > high:
            wider = min(low, least), max(high, largest)
            counts = redistributed(counts, low, high, *wider)
            low, high = wider
        counts = counts + count(values, low, high, bins)
    return low, high, counts
