def percentile(x, alpha, method):
    """The magnitude below which alpha percent of the values lie."""
    return np.percentile(np.abs(x), alpha, method=method)
