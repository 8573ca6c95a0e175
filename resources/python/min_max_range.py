def min_max_range(x, fraction):
    """That fraction of the least and of the greatest value, with 0 in it."""
    return min(fraction * x.min(), 0.0), max(fraction * x.max(), 0.0)
