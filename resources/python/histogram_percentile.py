def histogram_percentile(histogram, share, place):
    """Where the running sum of the counts' shares first reaches that share: a place in that bin, 0 its lower edge,
    1 its upper one, None linear in it."""
    low, high, counts = histogram
    bins = len(counts)
    if counts.sum() == 0:
        return low
    reached = np.cumsum(counts / counts.sum())
    if not (reached >= share).any():
        return low + bins / bins * (high - low)
    index = int(np.argmax(reached >= share))
    below = reached[index - 1] if index > 0 else 0.0
    if place is None:
        held = reached[index] - below
        place = (share - below) / held if held > 0 else 0.0
    return low + (index + place) / bins * (high - low)
