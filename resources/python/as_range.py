def as_range(threshold, x):
    """A threshold under an affine scheme: cut at the least and the greatest value, with 0 in it."""
    return max(0.0 - threshold, min(x.min(), 0.0)), min(threshold, max(x.max(), 0.0))
