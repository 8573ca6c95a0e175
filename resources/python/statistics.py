def statistics(batches, orders, of):
    """Names and values; of magnitudes (of=np.abs) or of the values themselves (of=np.positive) the percentiles."""
    recorded = np.concatenate([batch.ravel() for batch in batches])
    x = finite(batches)
    yield "values", recorded.size
    yield "nan", np.isnan(recorded).sum()
    yield "inf", np.isinf(recorded).sum()
    yield "zeros", (x == 0).sum()
    if x.size == 0:
        return
    yield "min", x.min() + 0.0
    yield "max", x.max() + 0.0
    yield "absmax", np.abs(x).max()
    yield "mean", x.mean()
    yield "std", x.std()
    distance = x - x.mean()
    variance = np.mean(distance ** 2)
    if x.min() < x.max():
        yield "kurtosis", np.mean(distance ** 4) / variance ** 2 - 3
    for name, order in orders:
        yield name, np.percentile(of(x), order)
