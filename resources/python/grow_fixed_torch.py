def grow_fixed_torch(batches, bins, of):
    """One range for all batches, known beforehand, bins found in float32 as torch.histc finds them: from 0 for magnitudes
    (of=np.abs), one more on both sides of one value alone. Returns low, high, counts."""
    values = of(finite(batches)).astype("f4")
    low, high = np.float32(0) if of is np.abs else values.min(), values.max()
    if low == high:
        low, high = low - np.float32(1), high + np.float32(1)
    place = (values - low) / (high - low) * np.float32(bins)
    counts = np.bincount(np.minimum(place.astype(int), bins - 1), minlength=bins)
    return float(low), float(high), counts
