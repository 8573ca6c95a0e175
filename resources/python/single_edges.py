def single_edges(low, high, bins):
    """Equal bins' edges as numpy.linspace makes them, in float32."""
    at = np.arange(bins + 1) * ((high - low) / bins) + low
    at[-1] = high
    return ascending(at.astype("f4"))


def ascending(at):
    assert (np.diff(at) > 0).all() and len(at) <= 2 ** 20, "calib counts such data in other bins, with a note"
    return at
