def bin_places(values, low, width):
    """Bins of 512, found in float32."""
    width = np.float32(width)
    if not width > 0:
        return np.zeros(np.shape(values), int)
    place = np.maximum((np.asarray(values, "f4") - np.float32(low)) / width, np.float32(0))
    return np.minimum(place, np.float32(511)).astype(int)


def grown_counts(batches):
    """512 bins over the range of all batches so far. A wider batch moves the counts: each bin is split over at most two
    of the wider ones, in whole counts. Returns low, high and counts; None without any."""
    low, high, counts = 0.0, 0.0, None
    for batch in batches:
        values = finite([batch])
        if not values.any():
            continue
        least, largest = values.min(), values.max()
        if least == largest:
            largest = max(largest, least + float(np.float32(0.01)))
        if counts is None:
            low, high, counts = least, largest, np.zeros(512)
        elif least < low or largest > high:
            new_low, new_high = min(least, low), max(largest, high)
            width, new_width, moved = (high - low) / 512, (new_high - new_low) / 512, np.zeros(512)
            for index in np.flatnonzero(counts):
                begin = low + index * width
                end = new_low + new_width * (np.floor((begin - new_low) / new_width) + 1.0)
                stays = min(half_away((end - begin) / width * counts[index]), counts[index])
                moved[bin_places(begin, new_low, new_width)] += stays
                moved[bin_places(begin + new_width, new_low, new_width)] += counts[index] - stays
            low, high, counts = new_low, new_high, moved
        counts = counts + np.bincount(bin_places(values, low, (high - low) / 512), minlength=512)
    width = np.float32((high - low) / 512)
    return (low, high, counts) if counts is not None and 0 < width < np.inf else None


def shared_by_overlap(counts, low, high, new_low, new_high):
    """The counts over another range, each bin shared by overlap in whole counts."""
    if (low, high) == (new_low, new_high):
        return counts
    width, new_width, shared = (high - low) / 512, (new_high - new_low) / 512, np.zeros(512)
    for index in np.flatnonzero(counts):
        begin, end, left = low + index * width, low + (index + 1) * width, counts[index]
        place = int(np.clip(np.floor((begin - new_low) / new_width), 0, 511))
        last = int(np.clip(np.ceil((end - new_low) / new_width), 0, 511))
        while left > 0 and place <= last:
            overlap = min(end, new_low + (place + 1) * new_width) - max(begin, new_low + place * new_width)
            given = min(half_away(min(max(overlap / width, 0.0), 1.0) * counts[index]), left)
            shared[place] += given
            left, place = left - given, place + 1
    return shared


def single_sum(values):
    """Doubles added to a float32."""
    total = np.float32(0)
    for value in values:
        total = np.float32(float(total) + value)
    return float(total)


def aimet_divergence(counts, first, last):
    """KL divergence of a window's coarse form of 255 levels from the window with what lies outside in its end bins; None
    where either is empty."""
    inside = counts[first:last + 1]
    p = inside.copy()
    p[0], p[-1] = np.add.accumulate(counts[:first + 1])[-1], np.add.accumulate(counts[last:])[-1]
    begins = np.ceil(np.arange(255) * (len(inside) / 255)).astype(int)
    level = np.searchsorted(begins, np.arange(len(inside)), "right") - 1
    sums, filled = np.bincount(level, inside, 255), np.bincount(level, inside != 0, 255)
    q = np.where(inside != 0, sums[level] / np.maximum(filled[level], 1), 0.0)
    if single_sum(p) == 0 or single_sum(q) == 0:
        return None

    def smoothed(masses):
        empty = masses == 0
        part = 1e-4 * empty.sum() / (~empty).sum()
        return masses if part >= 1 else np.where(empty, 1e-4, masses - part)

    p, q = smoothed(p), smoothed(q)
    p, q = p / single_sum(p), q / single_sum(q)
    both = (p > 0) & (q > 0)
    return np.add.accumulate(p[both] * np.log(p[both] / q[both]))[-1]


def aimet_entropy(grown, is_symmetric, is_searched):
    """The outer edges of the window with the least divergence, the widest of several: it shrinks by one bin at each end,
    or by the two bins that hold least, at the other end where 0 would leave it. Ends are float32."""
    low, high, counts = grown
    if is_symmetric:
        largest = float(np.float32(max(abs(low), abs(high))))
        counts = shared_by_overlap(counts, low, high, -largest, largest) if is_searched else counts
        low, high = -largest, largest
    if not is_searched:
        return low, high
    width, first, last, least, best = (high - low) / 512, 0, 511, np.inf, (low, high)
    while last - first + 1 >= 255:
        divergence = aimet_divergence(counts, first, last)
        if divergence is None:
            break
        if divergence < least:
            least, best = divergence, (low + first * width, low + (last + 1) * width)
        losses = [counts[first] + counts[last], counts[first] + counts[first + 1], counts[last] + counts[last - 1]]
        way = 0 if is_symmetric else losses.index(min(losses))
        if not is_symmetric:
            if way == 0 and low + (first + 1) * width > 0 or way == 1 and low + (first + 2) * width > 0:
                way = 2
            elif way == 0 and low + last * width < 0 or way == 2 and low + (last - 1) * width < 0:
                way = 1
        first, last = first + (1, 2, 0)[way], last - (1, 0, 2)[way]
    return tuple(float(np.float32(end)) for end in best)
