def min_max(x, fraction):
    """That fraction of the largest magnitude."""
    return fraction * np.abs(x).max()
