def min_max_range(x, fraction, least=0.0, zero_in_range=True):
    """That fraction of the least and of the greatest value; the high end at least that far above. 0 is put into it, into
    a range without a width in any case."""
    low, high = fraction * x.min(), fraction * x.max()
    if zero_in_range:
        low, high = min(low, 0.0), max(high, 0.0)
    high = max(high, low + least)
    return (low, high) if high > low else (min(low, 0.0), max(high, 0.0))
