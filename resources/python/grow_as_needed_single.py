def grow_as_needed_single(batches, bins):
    """Magnitudes in bins over the range of the first batch; a larger value adds bins of that width above. All edges are
    rounded to float32 before the next batch. Returns edges and counts; what lies outside is not counted."""
    at, counts = None, np.zeros(bins, int)
    for batch in batches:
        values = np.abs(finite([batch]))
        if at is not None:
            at = at.astype("f4")
        if values.size == 0:
            continue
        if at is None:
            low, high = values.min(), values.max()
            at = single_edges(*((low, high) if low < high else (low - 0.5, high + 0.5)), bins)
        elif values.max() > at[-1]:
            width = at[1] - at[0]
            start, end = at[-1] + width, np.float32(values.max()) + width
            step = float(start + width) - float(start)
            further = float(start) + np.arange(int(np.ceil((end - start) / width))) * step
            at = ascending(np.append(at, further))
            counts = np.append(counts, np.zeros(len(further), int))
        counts = counts + np.histogram(values, at)[0]
    return at, counts
