def min_max_range(x, fraction, least=0.0):
    """That fraction of the least and of the greatest value, with 0 in it; the high end at least that far above."""
    low = min(fraction * x.min(), 0.0)
    return low, max(fraction * x.max(), 0.0, low + least)
