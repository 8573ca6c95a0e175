def grow_double(batches, bins, of):
    """Magnitudes (of=np.abs) in bins over the range of the first batch; a larger value in a later one doubles their
    number until it fits. Returns low, high, counts."""
    high, counts = 0.0, np.zeros(bins, int)
    for batch in batches:
        values = of(finite([batch]))
        largest = values.max(initial=0.0)
        if high == 0:
            high = largest  # 0 while there were nothing but zeros: they wait in the first bin for a width
        while high < largest:
            high = 2 * high
            counts = np.append(counts, np.zeros(len(counts), int))
            if len(counts) > 2 ** 18:
                counts = counts.reshape(-1, 2).sum(axis=1)
        counts = counts + count(values, 0.0, high, len(counts))
    return 0.0, high, counts
