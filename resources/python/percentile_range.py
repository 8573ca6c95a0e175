def percentile_range(x, alpha, method, tails, zero_in_range=True):
    """The range that keeps alpha percent of the values: half of what is cut off at each end, or all of it at each
    (tails="full"). 0 is put into it, into a range without a width in any case."""
    tail = (100.0 - alpha) / 2 if tails == "half" else 100.0 - alpha
    low = np.percentile(x, tail, method=method)
    high = max(np.percentile(x, 100.0 - tail, method=method), low)
    return (low, high) if high > low and not zero_in_range else (min(low, 0.0), max(high, 0.0))
