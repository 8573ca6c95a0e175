def grow_fixed(batches, bins, of):
    """One range for all batches, known beforehand: from 0 for magnitudes (of=np.abs). Returns low, high, counts."""
    values = of(finite(batches))
    if values.size == 0:
        return 0.0, 0.0, np.zeros(bins, int)
    low, high = 0.0 if of is np.abs else values.min(), values.max()
    return low, high, count(values, low, high, bins)
