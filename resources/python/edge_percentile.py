def edge_percentile(histogram, share, place):
    """Where the running sum of the counts' shares first reaches that share, for edges that a tool has rounded: a place in
    that bin, 0 its lower edge, 1 its upper one, None linear in it."""
    at, counts = histogram
    at = at.astype("f8")
    if counts.sum() == 0:
        return at[0]
    reached = np.cumsum(counts / counts.sum())
    if not (reached >= share).any():
        return at[len(counts)]
    index = int(np.argmax(reached >= share))
    below = reached[index - 1] if index > 0 else 0.0
    if place is None:
        held = reached[index] - below
        place = (share - below) / held if held > 0 else 0.0
    return at[index + 1] if place == 1 else at[index] + place * (at[index + 1] - at[index])
