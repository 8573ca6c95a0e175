def torch_sum(values):
    """The float32 sum of torch.sum with registers of eight: four times eight running sums, carried over and added."""
    lanes = 8 if len(values) >= 8 else 1
    rows = len(values) // lanes
    held, steps, step = values[:rows * lanes].reshape(rows, lanes), rows // 4, 0
    power = max(4, (steps - 1).bit_length() // 4 if steps > 1 else 0)
    sums = np.zeros((4, 4, lanes), "f4")
    while step + 2 ** power <= steps:
        for place in range(step, step + 2 ** power):
            sums[0] += held[4 * place:4 * place + 4]
        step += 2 ** power
        for level in range(1, 4):
            sums[level] += sums[level - 1]
            sums[level - 1] = 0
            if step & (2 ** power - 1) << (level * power):
                break
    for place in range(step, steps):
        sums[0] += held[4 * place:4 * place + 4]
    for level in range(1, 4):
        sums[0] += sums[level]
    total = sums[0][0]
    for row in [*held[4 * steps:], *sums[0][1:]]:
        total = total + row
    result = np.float32(0)
    for value in [*values[rows * lanes:], *total]:
        result += value
    return result


def torch_linspace(low, high, bins):
    """Edges in float32, each from the nearer end and the first of its register of eight, rounded once per step."""
    edge, edges, step = np.arange(bins + 1), bins + 1, float((high - low) / np.float32(bins))
    base = np.where(edge < edges // 16 * 16, edge // 8 * 8, edge)
    start = np.where(base < edges // 2, step * base + float(low), -step * (bins - base) + float(high)).astype("f4")
    return (step * (edge - base) + start).astype("f4")


def torch_bins(values, low, high, bins):
    place = np.maximum((values - low) / (high - low) * np.float32(bins), np.float32(0))
    return np.minimum(place.astype(int), bins - 1)


def stretched(counts, old, wider, upsampling):
    """PyTorch 1.13: the wider range's bins are whole numbers of the old bins' parts, its upper end is relaxed to fit.
    Nothing where the old range is too narrow for that."""
    f4, bins = np.float32, len(counts)
    part = (old[1] - old[0]) / f4(bins * upsampling)
    row, width = f4(bins) * part, wider[1] - wider[0]
    with np.errstate(all="ignore"):
        in_bin = np.ceil(width / row)
        to = wider[0], wider[1] + (in_bin * row - width)
    if not (np.isfinite(to[1]) and np.isfinite(in_bin)):
        return np.zeros(bins, "f4"), wider
    if to == old:
        return counts, old
    sums = np.append(0.0, np.add.accumulate(np.repeat(counts.astype("f8"), upsampling)))
    offset = float(np.rint((old[0] - wider[0]) / part))
    ends = np.clip((np.arange(bins) + 1) * float(in_bin) - offset, 0, bins * upsampling).astype(int)
    before = np.append(np.float32(0), sums[ends][:-1].astype("f4"))  # only the lower of both sums is rounded
    return ((sums[ends] - before.astype("f8")) / upsampling).astype("f4"), to


def middles_moved(counts, old, wider, upsampling):
    """torchao: each part of an old bin goes to the bin of the wider range that holds its middle."""
    parts = len(counts) * upsampling
    half = np.float32(0.5) * ((old[1] - old[0]) / np.float32(parts))
    middle = torch_linspace(*old, parts)[:-1] + half
    bins = np.clip(np.searchsorted(torch_linspace(*wider, len(counts)), middle, "right") - 1, 0, len(counts) - 1)
    moved = np.zeros(len(counts), "f4")
    np.add.at(moved, bins, np.repeat(counts, upsampling) / np.float32(upsampling))
    return moved


def observed_counts(batches, bins, upsampling, cuts_ends, keeps_parts):
    """The running histogram of HistogramObserver: float32 counts and their range."""
    counts, ends, one = np.zeros(bins, "f4"), None, np.float32(1)
    for batch in batches:
        values = finite([batch]).astype("f4")
        if values.size == 0:
            continue
        own, only = (values.min(), values.max()), None
        if ends is None or keeps_parts and ends[0] == ends[1]:
            counts, ends = np.zeros(bins, "f4"), own
        else:
            wider = min(ends[0], own[0]), max(ends[1], own[1])
            if keeps_parts:
                counts, ends = stretched(counts, ends, wider, upsampling)
            elif wider != ends and ends[0] == ends[1]:
                only, ends = ends[0], wider  # one value so far: it is given the new batch's count
            elif wider != ends:
                counts, ends = middles_moved(counts, ends, wider, upsampling), wider
        low, high = (np.trunc(ends[0]), np.trunc(ends[1])) if cuts_ends else ends
        if cuts_ends and low == high:
            low, high = own
        if low == high:
            low, high = low - one, high + one
        found = np.bincount(torch_bins(values[(values >= low) & (values <= high)], low, high, bins), minlength=bins)
        if only is not None:
            counts = np.zeros(bins, "f4")
            counts[torch_bins(only, low, high, bins)] = found.sum()
        counts = counts + found.astype("f4")
    return counts, ends


def observed_error(counts, ends, levels, first, last):
    """Of values spread evenly inside the bins from the centres of so many equal parts of the bins kept; float32."""
    f4 = np.float32
    bin_width = (float(ends[1]) - float(ends[0])) / len(counts)
    part_width = bin_width * (last - first + 1) / levels
    if part_width == 0:
        return f4(0)
    width, part, half = f4(bin_width), f4(part_width), f4(part_width / 2)

    def part_of(place):
        rest = np.fmod(place, part)
        quotient = (place - rest) / part - (rest < 0).astype("f4")
        floor = np.floor(quotient)
        return np.clip(floor + (quotient - floor > f4(0.5)).astype("f4"), f4(0), f4(levels - 1))

    def squares(begin, end):
        return density * ((end * end * end - begin * begin * begin) / f4(3))

    begin = (np.arange(len(counts)).astype("f4") - f4(first)) * width
    end, density = begin + width, counts / width
    begin_part, end_part = part_of(begin), part_of(end)
    error = squares(begin - (begin_part + f4(0.5)) * part, half)
    error = error + (end_part - begin_part - f4(1)) * squares(-half, half)
    return torch_sum(error + squares(-half, end - (end_part * part + half)))


def torch_histogram(batches, x, bins, upsampling, cuts_ends, keeps_parts, levels, step):
    """The range at which HistogramObserver's walk stops: both ends move inward by quantiles, always the one that moves
    over more bins, until a move raises the error."""
    counts, ends = observed_counts(batches, bins, upsampling, cuts_ends, keeps_parts)
    sums, total = np.add.accumulate(counts.astype("f8")).astype("f4"), float(torch_sum(counts))
    first, last, least, low, high = 0, bins - 1, np.inf, 0.0, 1.0
    while low < high:
        next_low, next_high = low + step, high - step
        begin = min(max(int(np.searchsorted(sums, np.float32(next_low * total), "left")), first), last)
        end = max(min(int(np.searchsorted(sums, np.float32(next_high * total), "right")) - 1, last), first)
        was = first, last
        if begin - first > last - end:
            now, low = (begin, last), next_low
        else:
            now, high = (first, end), next_high
        if now == was:
            continue
        error = observed_error(counts, ends, levels, *now)
        if error > least:
            break
        least, (first, last) = error, now
    with np.errstate(all="ignore"):
        width = (ends[1] - ends[0]) / np.float32(bins)
        kept = float(ends[0] + width * np.float32(first)), float(ends[0] + width * np.float32(last + 1))
    return kept if np.isfinite(kept).all() else (x.min(), x.max())
