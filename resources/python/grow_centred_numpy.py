def grow_centred_numpy(batches, bins):
    """From minus to plus the first batch's largest magnitude; a larger one adds bins of that width at both ends. Zeros
    alone have the range that NumPy gives them, until another value comes. Returns edges and counts."""
    half, counts = 0.0, np.zeros(bins, int)
    for batch in batches:
        values = finite([batch])
        if values.size == 0:
            continue
        largest = np.abs(values).max()
        if half == 0:
            half = largest or 0.5
        elif largest > 0 and half == 0.5 and counts[np.searchsorted(at, 0.0, "right") - 1] == counts.sum():
            half = largest
        elif largest > half:
            width = 2.0 * half / len(counts)
            # Both ends are float32 until the range grows for the first time.
            beyond = np.float32(largest) - np.float32(half) if len(counts) == bins else largest - half
            more = int(np.floor_divide(float(beyond), width) + 1.0)
            counts = np.pad(counts, more)
            half = more * width + half
        at = single_edges(-half, half, len(counts))
        counts = counts + np.histogram(values, at)[0]
    return at, counts
