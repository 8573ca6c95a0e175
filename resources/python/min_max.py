def min_max(x, fraction, least=0.0):
    """That fraction of the largest magnitude; the high end at least that far from the low one, 0 in between."""
    low = min(x.min(), 0.0)
    return fraction * max(x.max(), low + least, -low)
