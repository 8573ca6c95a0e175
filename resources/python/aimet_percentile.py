def aimet_percentile(density, alpha):
    """The left edges of the first bin at which the running share reaches 1 - alpha, and of the one behind the last at
    which it is below alpha; 100 takes the observed range. 0 is put into it."""
    left, width, shares = density
    if alpha == 100:
        low, high = observed(density)
    else:
        up_to, part = np.cumsum(shares), np.float32(alpha) / np.float32(100)
        reached = up_to >= float(np.float32(1) - part)
        low = left[np.argmax(reached)] if reached.any() else left[0]
        below = np.flatnonzero(up_to[:-1] < float(part))
        enough = below.size > 0 and up_to[-1] >= float(part)
        high = left[below[-1] + 1] if enough else left[-1] + width
        high = high + width if low == high else high
    return min(float(low), 0.0), max(float(high), 0.0)
